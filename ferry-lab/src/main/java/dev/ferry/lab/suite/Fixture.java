package dev.ferry.lab.suite;

import java.io.IOException;
import java.util.OptionalLong;

/**
 * Does the work of one row, again and again, in three steps of which only the middle one is timed.
 * Used by one thread.
 */
public interface Fixture extends AutoCloseable {
  /** Makes ready for one operation: picks names, touches no file. */
  void prepare();

  /** The operation itself: all that a user would wait for. */
  Outcome run() throws IOException;

  /**
   * Nanoseconds of the last operation by the clock of the program that did it; empty where it is to
   * be timed from here.
   */
  default OptionalLong ownNanos() {
    return OptionalLong.empty();
  }

  /**
   * Compares what the operation left with what it should have, and deletes it.
   *
   * @throws IOException where they differ, with a line that says how
   */
  void check() throws IOException;

  /** Deletes what the operation left, without a look at it; for a warm-up. */
  void discard() throws IOException;

  /** Stops the client. */
  @Override
  void close();

  /**
   * What an operation says of itself.
   *
   * @param bytes of the unencoded work
   * @param wireBytes of the encoded work, without the transport's own headers
   * @param protocol as negotiated
   * @param encoding as negotiated
   */
  record Outcome(long bytes, long wireBytes, String protocol, String encoding) {}
}
