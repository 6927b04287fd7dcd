package dev.ferry.lab.suite;

import dev.ferry.lab.model.Part;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a row or a ceiling does, again and again, after it was opened. {@link LoadDriver} repeats it
 * as often as its load says, and calls that a sample: {@link #prepare}, the operations, which alone
 * are timed, and the checks. Operations are numbered from 0 in each sample.
 *
 * <p>Several threads call {@link #run} and {@link #start} at the same time, each for a worker of
 * its own, and {@link #check}, each for another operation. All else is called by one thread.
 */
public interface Operation extends AutoCloseable {
  /** Prepares a sample: picks names and looks where counters stand, but touches no file. */
  default void prepare() throws IOException {}

  /**
   * Removes what earlier operations left and what could disturb a sample; after {@link #prepare}.
   * Most operations of a warm-up go without it.
   */
  default void settle() {}

  /**
   * Does one operation: all that a user would wait for.
   *
   * @param worker who does it, from 0; each does one operation at a time
   */
  void run(int worker, int operation) throws IOException;

  /**
   * Starts an operation without waiting for its end.
   *
   * @return completed when it has ended; null if there is {@link #run} alone
   */
  default @Nullable CompletableFuture<Void> start(int worker, int operation) {
    return null;
  }

  /**
   * What the operations of the last sample moved.
   *
   * @throws IOException if some of them differ in protocol or encoding
   */
  Outcome outcome() throws IOException;

  /**
   * Nanoseconds of the last operation by the clock of the program that did it; empty if the driver
   * is to time it.
   */
  default OptionalLong ownNanos() {
    return OptionalLong.empty();
  }

  /**
   * Compares what an operation left with what it should have left, and deletes it.
   *
   * @throws IOException if they differ, with a line that says how
   */
  default void check(int operation) throws IOException {}

  /**
   * Checks all operations of the sample together; after {@link #check}.
   *
   * @param operations how many there were
   * @throws IOException if one was wrong, with a line that says how
   */
  default void checkAll(int operations) throws IOException {}

  /** Deletes what an operation left without a look at it; for a warm-up. */
  default void discard(int operation) throws IOException {}

  /**
   * Further figures of the last sample, as means over its operations; after the checks.
   *
   * @param nanos what the operations took together
   */
  default List<Part> parts(int operations, long nanos) {
    return List.of();
  }

  /** Stops threads, closes connections and releases native memory. */
  @Override
  void close() throws IOException;

  /**
   * What the operations of a sample moved; the mean of one operation.
   *
   * @param bytes of the unencoded work
   * @param wireBytes of the encoded work, without the transport's own headers
   * @param protocol as negotiated
   * @param encoding as negotiated
   */
  record Outcome(long bytes, long wireBytes, String protocol, String encoding) {
    /** Of operations that send their bytes as they are. */
    public static Outcome identity(long bytes, String protocol) {
      return new Outcome(bytes, bytes, protocol, "identity");
    }
  }
}
