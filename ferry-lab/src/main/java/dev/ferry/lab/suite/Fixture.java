package dev.ferry.lab.suite;

import dev.ferry.lab.model.Part;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of one row, again and again, in three steps of which only the middle one is timed.
 * Used by one thread.
 *
 * <p>Where a row's load has several operations, each step is of all of them: a sample.
 */
public interface Fixture extends AutoCloseable {
  /** Makes ready for one operation: picks names, looks where counters stand, touches no file. */
  void prepare() throws IOException;

  /**
   * Leaves nothing of what went before that could disturb a sample; after {@link #prepare}. In a
   * warm-up most operations go without it.
   */
  default void settle() {}

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
   * How long each operation of the last sample took, in nanoseconds, where each was timed; null
   * where not. Read before the next {@link #prepare}.
   */
  default @Nullable Histogram latencies() {
    return null;
  }

  /** What else is told of the operations of the last sample: means over them. */
  default List<Part> parts() {
    return List.of();
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
