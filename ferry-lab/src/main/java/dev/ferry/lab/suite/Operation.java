package dev.ferry.lab.suite;

import dev.ferry.lab.model.Part;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a row or a ceiling does repeatedly after it was opened. {@link LoadDriver} repeats it
 * according to its load. One such repetition is a sample: {@link #prepare}, the operations, and the
 * checks. Only the operations are timed. Operations are numbered from 0 in each sample.
 *
 * <p>Several threads call {@link #run} and {@link #start} concurrently, each for its own worker,
 * and {@link #check}, each for another operation. One thread calls all other methods.
 */
public interface Operation extends AutoCloseable {
  /** Prepares a sample: selects names and reads counters, but reads and writes no file. */
  default void prepare() throws IOException {}

  /**
   * Removes the results of earlier operations and other sources of disturbance. Called after {@link
   * #prepare}. Most operations of a warm-up run without it.
   */
  default void settle() {}

  /**
   * Runs one operation, which includes everything for which a user would wait.
   *
   * @param worker the number of the worker, from 0; a worker runs one operation at a time
   */
  void run(int worker, int operation) throws IOException;

  /**
   * Starts an operation without waiting for its end.
   *
   * @return completed when the operation has ended; null if only {@link #run} is supported
   */
  default @Nullable CompletableFuture<Void> start(int worker, int operation) {
    return null;
  }

  /**
   * Returns what the operations of the last sample transferred.
   *
   * @throws IOException if they differ in protocol or encoding
   */
  Outcome outcome() throws IOException;

  /**
   * Returns the nanoseconds of the last operation according to the program that ran it; empty if
   * the driver times it.
   */
  default OptionalLong ownNanos() {
    return OptionalLong.empty();
  }

  /**
   * Checks the result of an operation and deletes it.
   *
   * @throws IOException if the result is wrong, with a one-line description
   */
  default void check(int operation) throws IOException {}

  /**
   * Checks all operations of the sample together. Called after {@link #check}.
   *
   * @param operations the number of operations
   * @throws IOException if one was wrong, with a one-line description
   */
  default void checkAll(int operations) throws IOException {}

  /** Deletes the result of an operation without a check, for a warm-up. */
  default void discard(int operation) throws IOException {}

  /**
   * Returns additional figures of the last sample as means over its operations. Called after the
   * checks.
   *
   * @param nanos the total time of the operations in nanoseconds
   */
  default List<Part> parts(int operations, long nanos) {
    return List.of();
  }

  /** Stops threads, closes connections and releases native memory. */
  @Override
  void close() throws IOException;

  /**
   * What the operations of a sample transferred, as the mean of one operation.
   *
   * @param bytes unencoded bytes
   * @param wireBytes encoded bytes, without the headers of the transport
   * @param protocol the negotiated protocol
   * @param encoding the negotiated encoding
   */
  record Outcome(long bytes, long wireBytes, String protocol, String encoding) {
    /** Creates the outcome of operations without an encoding. */
    public static Outcome identity(long bytes, String protocol) {
      return new Outcome(bytes, bytes, protocol, "identity");
    }
  }
}
