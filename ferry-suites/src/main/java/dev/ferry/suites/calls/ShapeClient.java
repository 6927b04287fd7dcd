package dev.ferry.suites.calls;

import dev.ferry.suites.calls.service.CallClient.RowVisitor;
import java.io.IOException;

/**
 * A client as a row of the table of reply shapes uses it.
 *
 * @param reading how it gets rows
 * @param client closed with it
 */
record ShapeClient(Reading reading, AutoCloseable client) implements AutoCloseable {
  /** Gets the first rows in one shape or another. */
  @FunctionalInterface
  interface Reading {
    /** Gets the rows and passes them to a visitor. */
    void read(long count, RowVisitor visitor) throws IOException;
  }

  /** Gets the first rows and passes them to a visitor. */
  void read(long count, RowVisitor visitor) throws IOException {
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
}
