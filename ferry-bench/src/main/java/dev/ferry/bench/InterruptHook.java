package dev.ferry.bench;

import dev.ferry.lab.run.Cancellation;

/** Cancels a run if the process is to end, and waits until all its results are on disk. */
final class InterruptHook implements AutoCloseable {
  /** The longest time in seconds after Ctrl-C until all results are on disk. */
  private static final int PATIENCE_SECONDS = 10;

  private final Cancellation cancellation = new Cancellation();
  private final Thread thread = new Thread(this::cancel, "ferry-bench-interrupt");

  /** Registers a hook. */
  static InterruptHook register() {
    InterruptHook hook = new InterruptHook();
    Runtime.getRuntime().addShutdownHook(hook.thread);
    return hook;
  }

  private void cancel() {
    if (!cancellation.cancel(PATIENCE_SECONDS)) {
      System.err.println("ferry: gave up waiting for the run to clean up");
    }
  }

  Cancellation cancellation() {
    return cancellation;
  }

  /** Called when all results are on disk. */
  @Override
  public void close() {
    cancellation.ended();
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      // The process is ending because of Ctrl-C. The shutdown hook already runs and completes the
      // work.
      return;
    }
  }
}
