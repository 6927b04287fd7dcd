package dev.ferry.grpc.internal.transport;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after a {@link CallerLoop} while no caller turns it. Where there is something to be done
 * that nobody waits for, it takes the loop until it is done. Where no caller came for {@value
 * #REST_MILLIS} ms it takes it until one comes, who is served but finds the loop free the next
 * time.
 */
final class LoopKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(LoopKeeper.class);

  /** How late it may notice what a server says unasked, while callers come and go. */
  private static final long REST_MILLIS = 10;

  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(REST_MILLIS);

  private final ThreadFactory threads;
  private final CallerLoop loop;

  /** Calls whose caller does not turn the loop. */
  private final AtomicInteger calls = new AtomicInteger();

  /** How often a caller had the loop; written by the one who has it. */
  private volatile int entries;

  /** Whether a caller came who might have turned the loop. */
  private volatile boolean callerCame;

  private volatile @Nullable Thread thread;

  LoopKeeper(String name, CallerLoop loop) {
    this.threads = new DefaultThreadFactory(name, true);
    this.loop = loop;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // by the one thread that has the loop
  void callerEntered() {
    entries++;
  }

  /** A caller that had the loop left it. */
  void callerLeft() {
    if (thread == null || loop.needsKeeper()) {
      wake();
    }
  }

  boolean hasCalls() {
    return calls.get() > 0;
  }

  void callBegins(boolean waiting) {
    calls.incrementAndGet();
    if (waiting) {
      callerCame = true;
    }
  }

  void callEnds() {
    if (calls.decrementAndGet() == 0) {
      loop.wakeup();
    }
  }

  /** Has it look whether the loop needs it. */
  void wake() {
    Thread running = thread;
    if (running == null) {
      start();
    } else {
      LockSupport.unpark(running);
    }
  }

  private synchronized void start() {
    if (thread == null && !loop.isShuttingDown()) {
      Thread starting = threads.newThread(this::run);
      // A client may outlive the application that made it.
      starting.setContextClassLoader(null);
      starting.start();
      thread = starting;
    }
  }

  private void run() {
    while (!loop.isShuttingDown()) {
      try {
        boolean idle = rest();
        if ((idle || loop.needsKeeper()) && loop.acquire()) {
          keep(idle);
        }
      } catch (Throwable e) {
        LOG.error("what the loop was to do failed; it goes on", e);
        LockSupport.parkNanos(this, REST_NANOS);
      }
    }
  }

  /** Returns whether no caller came meanwhile. */
  private boolean rest() {
    int before = entries;
    if (!loop.needsKeeper()) {
      LockSupport.parkNanos(this, REST_NANOS);
    }
    return entries == before;
  }

  private void keep(boolean idle) {
    try {
      while (!loop.isShuttingDown() && (hasCalls() || loop.hasTasks() || (idle && !callerCame))) {
        // Of this thread nobody asks that it should stop; with the flag set it could not wait.
        boolean unused = Thread.interrupted();
        loop.turn();
      }
    } finally {
      callerCame = false;
      loop.release();
    }
  }
}
