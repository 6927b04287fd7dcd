package dev.ferry.http.internal.server;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.http.internal.Closing;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An upload whose body can be received.
 *
 * @param sink where it is written, which the upload closes
 * @param path the file
 * @param created whether no file is replaced
 * @param size bytes of the whole file; negative if they are not known
 * @param digest the digest of the whole file; null if none was stated
 * @param follows the algorithm of the digest that follows the body; null if none does
 * @param part which part of an upload that can be continued the body is; null if it cannot
 */
record IncomingUpload(
    FileSink sink,
    StorePath path,
    boolean created,
    long size,
    @Nullable Digest digest,
    Digest.@Nullable Algorithm follows,
    @Nullable UploadPart part)
    implements Closeable {
  /** Opens the sink of a whole file, which can be continued if the request asks for it. */
  static IncomingUpload begin(FileStore store, FileRequest request) throws FerryException {
    StorePath path = request.file();
    UploadFields fields = new UploadFields(request.headers());
    Digest digest = request.digest(!fields.begins() || fields.ends());
    UploadPart part = null;
    long size = request.length();
    if (fields.begins()) {
      size = fields.wholeLength(0);
      part = new UploadPart(fields.id(), 0, size, fields.ends(), digest);
    }
    Digest.Algorithm follows = part == null || part.last() ? request.followingDigest() : null;
    boolean created = !store.exists(path);
    FileSink sink = request.create(store, part, size);
    if (part != null && !sink.isKept()) {
      if (!part.last()) {
        Closing.quietly(sink);
        throw new FerryException(
            ErrorKind.INVALID_REQUEST,
            path + ": the server keeps no part of it; send the whole file");
      }
      // Its end is remembered all the same.
      return new IncomingUpload(sink, path, created, size, digest, follows, null);
    }
    return new IncomingUpload(sink, path, created, size, digest, follows, part);
  }

  /**
   * Opens the sink of a rest of a file, or of a part of it.
   *
   * @param size bytes of the whole file; negative if they are not known
   */
  static IncomingUpload append(
      FileStore store,
      UploadId id,
      KeptUpload kept,
      UploadFields fields,
      FileRequest request,
      long size)
      throws FerryException {
    Digest stated = request.digest(false);
    Digest digest = stated == null ? kept.digest() : stated;
    UploadPart part = new UploadPart(id, fields.offset(), kept.size(), fields.ends(), digest);
    boolean created = !store.exists(kept.path());
    FileSink sink = store.create(kept.path(), kept.create().withUpload(part));
    try {
      if (size >= 0) {
        sink.expect(size);
      }
      Digest.Algorithm follows = part.last() ? request.followingDigest() : null;
      return new IncomingUpload(sink, kept.path(), created, size, digest, follows, part);
    } catch (FerryException e) {
      Closing.quietly(sink);
      throw e;
    }
  }

  /** Returns whether the file is complete with the body. */
  boolean ends() {
    return part == null || part.last();
  }

  /** Returns the URI path of the upload; null if it cannot be continued. */
  @Nullable String location() {
    return part == null ? null : HttpRoutes.uploadPath(part.id());
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
