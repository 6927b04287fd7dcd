package dev.ferry.http.internal.server;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.StorePath;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.http.internal.Closing;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An upload whose body can be received.
 *
 * @param sink where it is written, which the upload closes
 * @param path the file
 * @param first whether this is the first request of the upload
 * @param created whether no file is replaced
 * @param size bytes of the whole file; negative if they are not known
 * @param digest the digest of the whole file; null if none was stated
 * @param follows the algorithm of the digest that follows the body; null if none does
 * @param part which part of an upload that can be continued the body is; null if it cannot
 */
record IncomingUpload(
    FileSink sink,
    StorePath path,
    boolean first,
    boolean created,
    long size,
    @Nullable Digest digest,
    Digest.@Nullable Algorithm follows,
    @Nullable UploadPart part)
    implements Closeable {
  /**
   * Opens the sink of a whole file, which can be continued if the request asks for it.
   *
   * @throws RefusedException if more is to follow, and the store would not keep this part
   */
  static IncomingUpload begin(Exchange exchange) throws FerryException {
    FileOperations files = exchange.files();
    FileRequest request = exchange.request();
    UploadFields fields = new UploadFields(request.headers());
    Digest digest = request.digest(!fields.begins() || fields.ends());
    UploadPart part = null;
    long size = request.length();
    if (fields.begins()) {
      size = fields.wholeLength(0);
      part = new UploadPart(fields.id(), 0, size, fields.ends(), digest);
    }
    Digest.Algorithm follows = part == null || part.last() ? request.followingDigest() : null;
    CreateOptions options = request.create(files.store()).withUpload(part);
    return open(files, exchange.path(), true, options, size, digest, follows);
  }

  /** Opens the sink of a rest of a file, or of a part of it. */
  static IncomingUpload append(Exchange exchange, UploadId id) throws FerryException {
    FileOperations files = exchange.files();
    FileRequest request = exchange.request();
    KeptUpload kept = files.store().upload(id);
    UploadFields fields = new UploadFields(request.headers());
    UploadResponses.requireNext(kept, fields, request);
    long stated = fields.wholeLength(fields.offset());
    Digest announced = request.digest(false);
    Digest digest = announced == null ? kept.digest() : announced;
    UploadPart part = new UploadPart(id, fields.offset(), kept.size(), fields.ends(), digest);
    Digest.Algorithm follows = part.last() ? request.followingDigest() : null;
    CreateOptions options = kept.create().withUpload(part);
    long size = stated < 0 ? kept.size() : stated;
    return open(files, kept.path(), false, options, size, digest, follows);
  }

  /** Returns that of a form, of whose files the sizes and digests are not known. */
  static IncomingUpload ofForm(FileSink files, StorePath folder) {
    return new IncomingUpload(files, folder, true, true, -1, null, null, null);
  }

  private static IncomingUpload open(
      FileOperations files,
      StorePath path,
      boolean first,
      CreateOptions options,
      long size,
      @Nullable Digest digest,
      Digest.@Nullable Algorithm follows)
      throws FerryException {
    boolean created = options.createOnly() || !files.store().exists(path);
    FileSink sink = files.create(path, options, size);
    UploadPart sent = options.upload();
    if (sent != null && !sent.last() && !sink.isKept()) {
      Closing.quietly(sink);
      throw new RefusedException(UploadResponses.notKept(path));
    }
    Digest.Algorithm algorithm = digest == null ? follows : digest.algorithm();
    if (algorithm != null) {
      sink.expectDigest(algorithm, files.workers());
    }
    // The end of an upload of which nothing is kept is remembered all the same.
    UploadPart part = first && !sink.isKept() ? null : sent;
    return new IncomingUpload(sink, path, first, created, size, digest, follows, part);
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
