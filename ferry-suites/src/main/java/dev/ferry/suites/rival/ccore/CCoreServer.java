package dev.ferry.suites.rival.ccore;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A server on the C core of gRPC, in a Python of its own, over a folder: downloads and uploads as
 * the contract has them, the latter by a temporary file that is renamed. Its gzip has zlib's
 * default level, which is 6. It ends with {@link #close}, or when this JVM ends for any reason.
 * Thread-safe.
 */
public final class CCoreServer implements AutoCloseable {
  private final CCoreProcess process;
  private final int port;

  private CCoreServer(CCoreProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts it in plain text on a free port.
   *
   * @param messages how it makes them
   * @param root the folder that it serves
   * @throws IOException if it is not installed or does not start, with its error output
   */
  public static CCoreServer start(CCore.Messages messages, Path root) throws IOException {
    CCoreProcess.Started started = CCoreProcess.server(messages, root);
    return new CCoreServer(started.process(), started.port());
  }

  /** The port it listens on. */
  public int port() {
    return port;
  }

  /** Stops it and cuts transfers in progress. A second call does nothing. */
  @Override
  public void close() {
    process.close();
  }
}
