package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.upload.UploadId;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request for an upload that can be continued, see {@link HttpRoutes}.
 *
 * @param headers the header fields
 */
record UploadFields(HttpHeaders headers) {
  /** The versions of the draft whose clients the server can tell where the upload is. */
  private static final List<String> VERSIONS = List.of("6", "7", "8");

  /** An integer item of RFC 9651 that is not negative, whose parameters are ignored. */
  private static final Pattern NUMBER = Pattern.compile("([0-9]{1,15})(;.*)?");

  private static final Pattern BOOLEAN = Pattern.compile("\\?([01])(;.*)?");

  /** Returns whether the request begins an upload that can be continued. */
  boolean begins() {
    return complete() != null;
  }

  /** Returns whether the body ends the file; null if the field is absent or malformed. */
  private @Nullable Boolean complete() {
    Matcher field = item(HttpRoutes.UPLOAD_COMPLETE, BOOLEAN);
    return field == null ? null : field.group(1).equals("1");
  }

  /**
   * Returns whether the body ends the file.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the request does not say so
   */
  boolean ends() throws FerryException {
    Boolean complete = complete();
    if (complete == null) {
      throw missing(HttpRoutes.UPLOAD_COMPLETE, "?1, or ?0 if more follows");
    }
    return complete;
  }

  /** Returns the offset of the body; fails as {@link #ends}. */
  long offset() throws FerryException {
    Matcher field = item(HttpRoutes.UPLOAD_OFFSET, NUMBER);
    if (field == null) {
      throw missing(HttpRoutes.UPLOAD_OFFSET, "the offset that a HEAD gives");
    }
    return Long.parseLong(field.group(1));
  }

  private static FerryException missing(String field, String remedy) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST, field + ": is missing or malformed; give " + remedy);
  }

  /** Returns the stated length of the file; negative if it is not stated. */
  long length() {
    Matcher field = item(HttpRoutes.UPLOAD_LENGTH, NUMBER);
    return field == null ? -1 : Long.parseLong(field.group(1));
  }

  /** Returns the length of the body; negative if it is not known. */
  long bodyLength() {
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    if (length == null) {
      return headers.contains(HttpHeaderNames.TRANSFER_ENCODING) ? -1 : 0;
    }
    // The codec has already rejected values that are not numbers.
    return Long.parseLong(length);
  }

  /**
   * Returns the length of the whole file; negative if it is not known.
   *
   * @param offset the first byte of the body
   * @throws FerryException with {@link ErrorKind#INCOMPLETE} if the request states two, or with
   *     {@link ErrorKind#TOO_LARGE} if no file is as long
   */
  long wholeLength(long offset) throws FerryException {
    long stated = length();
    long body = bodyLength();
    if (body < 0 || !ends()) {
      return stated;
    }
    if (body > Long.MAX_VALUE - offset) {
      throw new FerryException(
          ErrorKind.TOO_LARGE, "Content-Length: " + body + " is more than a file can have");
    }
    if (stated >= 0 && stated != offset + body) {
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          HttpRoutes.UPLOAD_LENGTH
              + ": "
              + stated
              + " is not the end of the body, "
              + (offset + body));
    }
    return offset + body;
  }

  /** Returns the id that the client has chosen, or a new one. */
  UploadId id() throws FerryException {
    String id = headers.get(HttpRoutes.UPLOAD_ID);
    return id == null ? UploadId.random() : UploadId.parse(id.strip());
  }

  /** Returns the version of the draft with which a status 104 is sent; null for none. */
  @Nullable String version() {
    String version = headers.get(HttpRoutes.UPLOAD_VERSION);
    return version != null && VERSIONS.contains(version.strip()) ? version.strip() : null;
  }

  /** Returns whether the body is a rest of an upload. */
  boolean isPartial() {
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
    return type != null
        && type.split(";", 2)[0].strip().equalsIgnoreCase(HttpRoutes.PARTIAL_UPLOAD);
  }

  private @Nullable Matcher item(String name, Pattern pattern) {
    List<String> fields = headers.getAll(name);
    if (fields.size() != 1) {
      return null;
    }
    Matcher item = pattern.matcher(fields.get(0).strip());
    return item.matches() ? item : null;
  }
}
