package dev.ferry.calls.grpc;

/**
 * Whether the calling thread is giving an answer out. That is the event loop: a call which waits
 * there would wait for itself.
 */
final class Giving {
  private static final ThreadLocal<Boolean> NOW = ThreadLocal.withInitial(() -> false);

  private Giving() {}

  /** Runs what is told of an answer. */
  static void out(Runnable taker) {
    boolean before = NOW.get();
    NOW.set(true);
    try {
      taker.run();
    } finally {
      NOW.set(before);
    }
  }

  /**
   * Refuses to wait where an answer is being given out.
   *
   * @throws IllegalStateException there
   */
  static void requireOutside() {
    if (NOW.get()) {
      throw new IllegalStateException(
          "a call cannot be waited for while the answer of another is given out: make it later, or"
              + " on another thread");
    }
  }
}
