package dev.ferry.http.internal.http1;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import dev.ferry.http.internal.Fields;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.http.internal.Payload;
import dev.ferry.http.internal.ResponseFacts;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates the requests of uploads, and reads how far one is. */
final class UploadCalls {
  /** Bytes of an upload: an integer of RFC 9651 that is not negative. */
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

  private UploadCalls() {}

  /**
   * Returns whether only the rest of a file is sent.
   *
   * @throws FerryException with {@link ErrorKind#FILE_CHANGED} if the file has another size than
   *     before
   */
  static boolean isRest(@Nullable UploadPart part, FileSource file) throws FerryException {
    if (part == null || part.offset() == 0) {
      return false;
    }
    if (part.size() != file.facts().size()) {
      throw new FerryException(
          ErrorKind.FILE_CHANGED, file.facts().name() + ": changed since its first part was sent");
    }
    return true;
  }

  /**
   * Creates the request that sends a file, or the rest of it.
   *
   * @param digest of the whole file; null for none, or if it follows the payload
   * @param facts of the whole file
   * @param payload the bytes; null if the client adds them
   */
  static OutgoingRequest put(
      StorePath path,
      TransferOptions options,
      @Nullable Digest digest,
      FileFacts facts,
      @Nullable Payload payload) {
    UploadPart part = options.create().upload();
    Map<String, String> fields = new LinkedHashMap<>();
    if (digest != null) {
      fields.put(HttpRoutes.UNENCODED_DIGEST, HttpRoutes.digestField(digest));
    }
    Digest.Algorithm following = payload == null ? null : payload.following();
    if (following != null) {
      fields.put("Trailer", HttpRoutes.UNENCODED_DIGEST);
      fields.put(HttpRoutes.WANT_UNENCODED_DIGEST, HttpRoutes.wantField(following));
      if (facts.size() != FileFacts.UNKNOWN_SIZE) {
        fields.put(
            part == null ? HttpRoutes.UNENCODED_LENGTH : HttpRoutes.UPLOAD_LENGTH,
            String.valueOf(facts.size()));
      }
    }
    if (part != null && part.offset() > 0) {
      fields.put("Content-Type", HttpRoutes.PARTIAL_UPLOAD);
      fields.put(HttpRoutes.UPLOAD_COMPLETE, HttpRoutes.YES);
      fields.put(HttpRoutes.UPLOAD_OFFSET, String.valueOf(part.offset()));
      return new OutgoingRequest("PATCH", HttpRoutes.uploadPath(part.id()), fields, payload, false);
    }
    fields.put("Content-Type", "application/octet-stream");
    if (!facts.lastModified().equals(FileFacts.UNKNOWN_TIME)) {
      fields.put(HttpRoutes.LAST_MODIFIED, HttpRoutes.timeField(facts.lastModified()));
    }
    Integer mode = facts.mode();
    if (mode != null) {
      fields.put(HttpRoutes.MODE, HttpRoutes.modeField(mode));
    }
    if (options.create().createOnly()) {
      fields.put("If-None-Match", "*");
    }
    if (options.create().makeParents()) {
      fields.put(HttpRoutes.MAKE_PARENTS, HttpRoutes.YES);
      Integer folderMode = options.create().folderMode();
      if (folderMode != null) {
        fields.put(HttpRoutes.FOLDER_MODE, HttpRoutes.modeField(folderMode));
      }
    }
    if (options.gzip()) {
      fields.put("Content-Encoding", "gzip");
      fields.put(HttpRoutes.UNENCODED_LENGTH, String.valueOf(facts.size()));
    } else if (part != null) {
      fields.put(HttpRoutes.UPLOAD_COMPLETE, HttpRoutes.YES);
      fields.put(HttpRoutes.UPLOAD_ID, part.id().toHex());
    }
    return new OutgoingRequest(
        "PUT", HttpRoutes.uriPath(path), fields, payload, options.create().createOnly());
  }

  /**
   * Reads the facts of the stored file from the response to an upload.
   *
   * @param sent the digest that was sent; null if none was
   * @throws FerryException with {@link ErrorKind#DIGEST_MISMATCH} if the server states another one
   *     of the same algorithm; with {@link ErrorKind#INVALID_REQUEST} if it states none
   */
  static FileFacts stored(Fields fields, StorePath path, long size, @Nullable Digest sent)
      throws FerryException {
    FileFacts facts =
        new FileFacts(path.value(), size, ResponseFacts.lastModified(fields), false, null)
            .withMode(ResponseFacts.mode(fields))
            .withVersion(ResponseFacts.version(fields))
            .withDigests(ResponseFacts.digests(fields))
            .compared(sent == null ? null : sent.algorithm());
    if (sent != null && !sent.equals(facts.digest(sent.algorithm()))) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH,
          "%s: stored on the server with %s %s, %s was sent"
              .formatted(path, sent.algorithm().label(), facts.digest(sent.algorithm()), sent));
    }
    return facts;
  }

  static OutgoingRequest status(UploadId id) {
    return new OutgoingRequest("HEAD", HttpRoutes.uploadPath(id), Map.of());
  }

  static OutgoingRequest cancel(UploadId id) {
    return new OutgoingRequest("DELETE", HttpRoutes.uploadPath(id), Map.of());
  }

  /**
   * Reads the response to {@link #status}.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it does not say how far the
   *     upload is
   */
  static UploadStatus status(Fields fields, UploadId id) throws FerryException {
    long received = number(fields, HttpRoutes.UPLOAD_OFFSET, id);
    if (!HttpRoutes.YES.equals(fields.get(HttpRoutes.UPLOAD_COMPLETE))) {
      return new UploadStatus(received, null);
    }
    FileFacts complete =
        new FileFacts(id.toHex(), received, ResponseFacts.lastModified(fields), false, null)
            .withMode(ResponseFacts.mode(fields))
            .withVersion(ResponseFacts.version(fields))
            .withDigests(ResponseFacts.digests(fields));
    return new UploadStatus(received, complete);
  }

  private static long number(Fields fields, String name, UploadId id) throws FerryException {
    String value = fields.get(name);
    if (value == null || !NUMBER.matcher(value).matches()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "upload " + id + ": the server does not say how far it is");
    }
    return Long.parseLong(value);
  }
}
