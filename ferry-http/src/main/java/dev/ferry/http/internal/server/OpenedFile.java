package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.HttpCompression;

/**
 * A file to send.
 *
 * @param gzip whether it is compressed: the client accepts it, requests the whole file, and the
 *     file becomes smaller
 * @param notModified whether the client has it already
 */
record OpenedFile(FileSource file, boolean gzip, boolean notModified) {
  /** Opens the file of a GET request. The caller closes it. */
  static OpenedFile open(FileStore store, StorePath path, FileRequest request)
      throws FerryException {
    FileSource file = store.open(path);
    try {
      boolean gzip =
          request.acceptsGzip() && !request.asksForRange() && HttpCompression.worthwhile(file);
      return new OpenedFile(
          file, gzip, Conditions.notModified(request.headers(), file.facts(), gzip));
    } catch (FerryException e) {
      Closing.quietly(file);
      throw e;
    }
  }
}
