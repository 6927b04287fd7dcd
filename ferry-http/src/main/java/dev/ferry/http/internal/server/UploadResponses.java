package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.wire.internal.contract.BasePath;
import dev.ferry.wire.internal.contract.Errors;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.util.Map;
import java.util.Objects;

/** Creates the responses to requests for uploads that can be continued. */
final class UploadResponses {
  private static final HttpResponseStatus SUPPORTED =
      HttpResponseStatus.valueOf(104, "Upload Resumption Supported");

  private UploadResponses() {}

  /** Creates the interim response that tells a client where its upload is. */
  static FullHttpResponse supported(IncomingUpload upload, String version, BasePath base) {
    FullHttpResponse response = Responses.empty(SUPPORTED);
    response
        .headers()
        .set(HttpHeaderNames.LOCATION, base.before(Objects.requireNonNull(upload.location())))
        .set(HttpRoutes.UPLOAD_VERSION, version);
    return response;
  }

  /** Creates the response to a {@code HEAD}. */
  static FullHttpResponse status(KeptUpload upload) {
    FullHttpResponse response = Responses.empty(HttpResponseStatus.NO_CONTENT);
    FileFacts complete = upload.status().complete();
    response
        .headers()
        .set(HttpRoutes.UPLOAD_COMPLETE, complete == null ? HttpRoutes.NO : HttpRoutes.YES)
        .set(HttpRoutes.UPLOAD_OFFSET, upload.status().received())
        .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    if (upload.size() >= 0) {
      response.headers().set(HttpRoutes.UPLOAD_LENGTH, upload.size());
    }
    if (complete != null) {
      Responses.addFacts(response.headers(), complete, false);
    }
    return response;
  }

  /** Creates the refusal of a part after which more is to follow, of which nothing is kept. */
  static FullHttpResponse notKept(StorePath path) {
    return Responses.problem(
        ErrorKind.INVALID_REQUEST,
        HttpResponseStatus.BAD_REQUEST.code(),
        Errors.UPLOAD_NOT_KEPT,
        path + ": the server keeps no part of it; send the whole file",
        Map.of());
  }

  /** Creates the response to a request after which more follows. */
  static FullHttpResponse appended(IncomingUpload upload, long received) {
    FullHttpResponse response =
        Responses.empty(
            upload.first() ? HttpResponseStatus.CREATED : HttpResponseStatus.NO_CONTENT);
    if (upload.first()) {
      HttpUtil.setContentLength(response, 0);
      response.headers().set(HttpHeaderNames.LOCATION, Objects.requireNonNull(upload.location()));
    }
    response
        .headers()
        .set(HttpRoutes.UPLOAD_COMPLETE, HttpRoutes.NO)
        .set(HttpRoutes.UPLOAD_OFFSET, received);
    return response;
  }

  /** Creates the response to a request with which the file is complete. */
  static FullHttpResponse stored(FileFacts facts, IncomingUpload upload) {
    FullHttpResponse response = Responses.stored(facts, upload.created());
    if (upload.part() != null) {
      response
          .headers()
          .set(HttpRoutes.UPLOAD_COMPLETE, HttpRoutes.YES)
          .set(HttpRoutes.UPLOAD_OFFSET, facts.size());
    }
    return response;
  }

  /**
   * Checks that a request goes on with an upload.
   *
   * @throws RefusedException if it does not
   */
  static void requireNext(KeptUpload upload, UploadFields fields, FileRequest request)
      throws FerryException {
    long received = upload.status().received();
    if (!fields.isPartial()) {
      throw new RefusedException(
          Responses.problem(
              ErrorKind.INVALID_REQUEST,
              HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE.code(),
              "Content-Type: send " + HttpRoutes.PARTIAL_UPLOAD));
    }
    if (!HttpHeaderValues.IDENTITY.contentEquals(request.coding())) {
      throw new RefusedException(coded(request.coding()));
    }
    long offset = fields.offset();
    boolean ends = fields.ends();
    if (upload.status().complete() != null) {
      FullHttpResponse response =
          Responses.problem(
              ErrorKind.INVALID_REQUEST,
              HttpResponseStatus.BAD_REQUEST.code(),
              Errors.COMPLETED_UPLOAD,
              upload.path() + ": the upload is complete",
              Map.of());
      response.headers().set(HttpRoutes.UPLOAD_COMPLETE, HttpRoutes.YES);
      throw new RefusedException(response);
    }
    if (offset != received) {
      FullHttpResponse response =
          Responses.problem(
              ErrorKind.OFFSET_MISMATCH,
              HttpResponseStatus.CONFLICT.code(),
              Errors.MISMATCHING_OFFSET,
              "%s: the upload continues at byte %d, not at %d"
                  .formatted(upload.path(), received, offset),
              Map.of("expected-offset", received, "provided-offset", offset));
      response
          .headers()
          .set(HttpRoutes.UPLOAD_OFFSET, received)
          .set(HttpRoutes.UPLOAD_COMPLETE, HttpRoutes.NO);
      throw new RefusedException(response);
    }
    long body = fields.bodyLength();
    long end = body < 0 ? -1 : received + body;
    long stated = fields.length();
    long size = upload.size() >= 0 ? upload.size() : stated;
    if ((stated >= 0 && stated != size)
        || (size >= 0 && (end > size || (ends && end >= 0 && end != size)))) {
      throw new RefusedException(
          Responses.problem(
              ErrorKind.INCOMPLETE,
              HttpResponseStatus.BAD_REQUEST.code(),
              Errors.INCONSISTENT_LENGTH,
              "%s: the upload has %d bytes, the request is for others"
                  .formatted(upload.path(), size),
              Map.of()));
    }
  }

  /** Creates the refusal of a body with a content coding, whose bytes are not those of the file. */
  static FullHttpResponse coded(String coding) {
    return Responses.problem(
        ErrorKind.INVALID_REQUEST,
        HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE.code(),
        "Content-Encoding: "
            + coding
            + " cannot be continued; send the file without it, or without "
            + HttpRoutes.UPLOAD_COMPLETE);
  }
}
