package dev.ferry.grpc.transport;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks after a {@link CallerLoop} while no caller turns it. It takes the loop when there is
 * something to be done that nobody waits for, and when no caller came for {@value #REST_MILLIS} ms;
 * it leaves it to the callers when one came who might have turned it himself.
 */
final class LoopKeeper {
  /** How late it may notice what a server says unasked, while callers come and go. */
  private static final long REST_MILLIS = 10;

  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(REST_MILLIS);

  private final String name;
  private final CallerLoop loop;

  /** Calls whose caller does not turn the loop. */
  private final AtomicInteger calls = new AtomicInteger();

  /** How often a caller had the loop; written by the one who has it. */
  private volatile int entries;

  /** Whether a caller waits, or waited, who might have turned the loop. */
  private volatile boolean callerWaits;

  private volatile boolean needed;
  private volatile boolean closed;
  private volatile @Nullable Thread thread;

  LoopKeeper(String name, CallerLoop loop) {
    this.name = name;
    this.loop = loop;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // by the one thread that has the loop
  void callerEntered() {
    entries++;
  }

  boolean hasCalls() {
    return calls.get() > 0;
  }

  /** The caller that had the loop left it. */
  void callerLeft(boolean tasksLeft) {
    if (tasksLeft || hasCalls()) {
      wake();
    } else if (thread == null) {
      start();
    }
  }

  void callBegins(boolean waiting) {
    calls.incrementAndGet();
    if (waiting) {
      callerWaits = true;
    }
  }

  void callEnds() {
    if (calls.decrementAndGet() == 0 && callerWaits) {
      loop.wakeup();
    }
  }

  /** There is something to be done, and nobody to do it. */
  void wake() {
    needed = true;
    Thread running = thread;
    if (running == null) {
      start();
    } else {
      LockSupport.unpark(running);
    }
  }

  private synchronized void start() {
    if (thread == null && !closed) {
      Thread starting = new Thread(this::run, name);
      starting.setDaemon(true);
      thread = starting;
      starting.start();
    }
  }

  synchronized void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closed) {
      if (rest() && loop.acquire()) {
        try {
          serve();
        } finally {
          loop.release();
        }
        if (loop.hasTasks()) {
          // Whoever brought them saw that somebody had the loop.
          needed = true;
        }
      }
    }
  }

  /** Returns whether the loop is to be taken. */
  private boolean rest() {
    int before = entries;
    if (!needed) {
      LockSupport.parkNanos(this, REST_NANOS);
    }
    boolean wanted = needed;
    needed = false;
    return wanted || entries == before;
  }

  private void serve() {
    callerWaits = false;
    do {
      // Of this thread nobody asks that it should stop; with the flag set it could not wait.
      boolean unused = Thread.interrupted();
      loop.turn();
    } while (!closed && (hasCalls() || !callerWaits));
  }
}
