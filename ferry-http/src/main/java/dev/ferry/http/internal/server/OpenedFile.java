package dev.ferry.http.internal.server;

import dev.ferry.contract.ByteRange;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.http.internal.HttpCompression;
import dev.ferry.net.internal.FileOperations;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * A file to send.
 *
 * @param gzip whether it is compressed: the client accepts it, requests the whole file, and the
 *     file becomes smaller
 * @param range the part to send; null for the whole file
 */
record OpenedFile(FileSource file, boolean gzip, @Nullable ByteRange range) {
  /**
   * Opens the file of a {@code GET}. The caller closes it. A request for a directory is led to its
   * list, if the caller may know of it, as {@code HEAD} does. {@link FileStore#open} says {@link
   * ErrorKind#INVALID_PATH} of a directory.
   *
   * @throws RefusedException if another response says what the client needs
   */
  static OpenedFile open(
      FileOperations files, StorePath path, HttpRequest http, FileRequest request)
      throws FerryException {
    try {
      return files.open(path, file -> of(file, request));
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.INVALID_PATH && isDirectory(files, path)) {
        throw new RefusedException(Responses.folder(path, FileRequest.directoryUri(path, http)));
      }
      throw e;
    }
  }

  private static OpenedFile of(FileSource file, FileRequest request) throws FerryException {
    FileFacts facts = file.facts();
    boolean gzip =
        request.acceptsGzip() && !request.asksForRange() && HttpCompression.worthwhile(file);
    if (Conditions.notModified(request.headers(), facts, gzip)) {
      throw new RefusedException(Responses.notModified(facts, gzip));
    }
    ByteRange range = request.range(facts);
    if (range != null && range.isEmpty()) {
      throw new RefusedException(Responses.unsatisfiable(facts, range));
    }
    return new OpenedFile(file, gzip, range);
  }

  private static boolean isDirectory(FileOperations files, StorePath path) {
    try {
      return files.stat(path, null).directory();
    } catch (FerryException e) {
      return false;
    }
  }
}
