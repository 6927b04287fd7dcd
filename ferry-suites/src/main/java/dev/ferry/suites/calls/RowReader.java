package dev.ferry.suites.calls;

import dev.ferry.calls.CallClient.RowVisitor;
import java.io.IOException;

/** A client as a row of the table of reply shapes uses it. */
interface RowReader extends AutoCloseable {
  /** Has the first rows come, in whatever shape, and gives them to a visitor. */
  void read(long count, RowVisitor visitor) throws IOException;

  @Override
  void close();

  /** How one reads. */
  @FunctionalInterface
  interface Reading {
    void read(long count, RowVisitor visitor) throws IOException;
  }

  /** A reader of a client that is closed with it. */
  static RowReader of(Reading reading, AutoCloseable client) {
    return new RowReader() {
      @Override
      public void read(long count, RowVisitor visitor) throws IOException {
        reading.read(count, visitor);
      }

      @Override
      public void close() {
        try {
          client.close();
        } catch (Exception e) {
          throw new IllegalStateException("the client does not close: " + e.getMessage(), e);
        }
      }
    };
  }
}
