package dev.ferry.http;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;

/** A plain HTTP/1.1 server of files over a store. */
public final class HttpFilesServer implements AutoCloseable {
  /** Starts a server in plain text; port 0 picks a free one; {@code bufferSize} bytes per copy. */
  public static HttpFilesServer start(FileStore store, String host, int port, int bufferSize)
      throws FerryException {
    throw new UnsupportedOperationException();
  }

  /** The port it listens on. */
  public int port() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
