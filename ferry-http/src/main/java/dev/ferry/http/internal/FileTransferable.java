package dev.ferry.http.internal;

import dev.ferry.core.FileSink;
import java.io.IOException;

/** A body that can be written to a file without a copy through an array of the caller. */
public interface FileTransferable {
  /**
   * Waits for bytes and writes them. An interrupt ends the wait. For one thread at a time.
   *
   * @return false at the end of the body
   */
  boolean writeNext(FileSink sink) throws IOException;
}
