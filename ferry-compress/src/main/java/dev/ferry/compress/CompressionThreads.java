package dev.ferry.compress;

/**
 * The threads of {@link ParallelCompressor} and {@link ParallelDecompressor}. Thread-safe.
 *
 * @param <X> what is thrown when they take no more work
 */
public interface CompressionThreads<X extends Exception> {
  /** How many can work at once; at least 1. */
  int threads();

  /** Whether work waits for a thread. */
  boolean areBusy();

  /**
   * Does some work soon, in the order of the calls. What was accepted is done in any case, since it
   * may own buffers.
   *
   * @throws X if no more work is accepted
   */
  void execute(Runnable work) throws X;
}
