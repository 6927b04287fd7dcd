package dev.ferry.calls.grpc;

/**
 * Whether the calling thread is giving an answer out. That is the event loop: a call which waits
 * there would wait for itself.
 */
final class CallbackThread {
  private static final ThreadLocal<CallbackThread> OF_THREAD =
      ThreadLocal.withInitial(CallbackThread::new);

  private boolean now;

  private CallbackThread() {}

  /** Runs what is told of an answer. */
  static void out(Runnable taker) {
    CallbackThread giving = OF_THREAD.get();
    boolean before = giving.now;
    giving.now = true;
    try {
      taker.run();
    } finally {
      giving.now = before;
    }
  }

  /**
   * Refuses to wait where an answer is being given out.
   *
   * @throws IllegalStateException there
   */
  static void requireOutside() {
    if (OF_THREAD.get().now) {
      throw new IllegalStateException(
          "a call cannot be waited for while the answer of another is given out: make it later, or"
              + " on another thread");
    }
  }
}
