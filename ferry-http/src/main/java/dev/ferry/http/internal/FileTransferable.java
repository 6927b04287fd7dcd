package dev.ferry.http.internal;

import dev.ferry.core.FileSink;
import java.io.IOException;

/** A body that can go to a file without passing through an array of the caller's. */
public interface FileTransferable {
  /**
   * Waits for bytes and writes them; an interrupt ends the wait. For one thread at a time.
   *
   * @return false at the end of the body
   */
  boolean writeNext(FileSink sink) throws IOException;
}
