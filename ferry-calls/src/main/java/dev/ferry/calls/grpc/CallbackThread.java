package dev.ferry.calls.grpc;

/**
 * Tracks whether the calling thread is delivering a response. Such a thread runs the event loop, so
 * a call that blocks on it would wait for itself.
 */
final class CallbackThread {
  private static final ThreadLocal<CallbackThread> OF_THREAD =
      ThreadLocal.withInitial(CallbackThread::new);

  private boolean now;

  private CallbackThread() {}

  /** Runs code that receives a response. */
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
   * Checks that the thread may block.
   *
   * @throws IllegalStateException if the thread is delivering a response
   */
  static void requireOutside() {
    if (OF_THREAD.get().now) {
      throw new IllegalStateException(
          "a call cannot be waited for in the callback of another: make it later, or"
              + " on another thread");
    }
  }
}
