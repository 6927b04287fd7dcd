package dev.ferry.lab.suite;

import dev.ferry.core.FileServer;

/** The running server of a row. */
public interface RowServer extends AutoCloseable {
  /** Returns the port on which it listens; 0 if its clients need none. */
  int port();

  /** Stops the server. */
  @Override
  void close();

  /** Wraps a server of Ferry that is already running. */
  static RowServer of(FileServer server) {
    return of(server.port(), server);
  }

  /** Wraps a server that is already running. */
  static RowServer of(int port, AutoCloseable server) {
    return new RowServer() {
      @Override
      public int port() {
        return port;
      }

      @Override
      public void close() {
        try {
          server.close();
        } catch (Exception e) {
          throw new IllegalStateException("the row's server does not stop: " + e.getMessage(), e);
        }
      }
    };
  }
}
