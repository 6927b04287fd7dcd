package dev.ferry.lab.suite;

/** The server of a row, from its start until it is closed. */
public interface RowServer extends AutoCloseable {
  /** The port it listens on; 0 where its clients need none. */
  int port();

  /** Stops it. */
  @Override
  void close();

  /** A server that is there already. */
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
