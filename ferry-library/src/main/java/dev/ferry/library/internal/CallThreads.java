package dev.ferry.library.internal;

import dev.ferry.core.internal.DaemonThreads;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls on threads of its own, {@value #MOST} at once, since each has buffers and perhaps a
 * connection. The others wait in order. Thread-safe.
 */
final class CallThreads implements Executor {
  static final int MOST = 128;

  private final ExecutorService threads =
      Executors.newCachedThreadPool(new DaemonThreads("ferry-client"));

  // The lock of this object guards the following.
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private int running;

  /**
   * {@inheritDoc}
   *
   * @throws java.util.concurrent.RejectedExecutionException after {@link #end}
   */
  @Override
  public void execute(Runnable call) {
    synchronized (this) {
      if (running == MOST) {
        waiting.add(call);
        return;
      }
      running++;
    }
    start(call);
  }

  private void start(Runnable call) {
    boolean started = false;
    try {
      threads.execute(() -> run(call));
      started = true;
    } finally {
      if (!started) {
        ended();
      }
    }
  }

  private void run(Runnable first) {
    Runnable call = first;
    try {
      while (call != null) {
        call.run();
        call = next();
      }
    } finally {
      // An error of a call ends its thread, and not those that wait.
      Runnable other = call == null ? null : next();
      if (other != null) {
        start(other);
      }
    }
  }

  /** Returns the call that waits for longest; if none does, the thread has ended. */
  private synchronized @Nullable Runnable next() {
    Runnable next = waiting.poll();
    if (next == null) {
      running--;
    }
    return next;
  }

  private synchronized void ended() {
    running--;
  }

  /** Takes no more calls. */
  void end() {
    threads.shutdown();
  }
}
