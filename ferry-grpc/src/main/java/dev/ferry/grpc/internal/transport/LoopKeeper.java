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
 * Serves a {@link CallerLoop} while no caller runs it. If there is work for which no caller waits,
 * the keeper owns the loop until the work is done. If no caller has entered the loop for {@value
 * #REST_MILLIS} ms, the keeper owns the loop until a caller comes. It serves that caller, and then
 * releases the loop for the next one.
 */
final class LoopKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(LoopKeeper.class);

  /**
   * Maximum delay in milliseconds before unsolicited data from the server is noticed while callers
   * enter and leave.
   */
  private static final long REST_MILLIS = 10;

  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(REST_MILLIS);

  private final ThreadFactory threads;
  private final CallerLoop loop;

  /** Calls whose caller does not run the loop. */
  private final AtomicInteger calls = new AtomicInteger();

  /** How often a caller has entered the loop. Only the owner of the loop writes it. */
  private volatile int entries;

  /** Whether a caller came that could have run the loop itself. */
  private volatile boolean callerCame;

  private volatile @Nullable Thread thread;

  LoopKeeper(String name, CallerLoop loop) {
    this.threads = new DefaultThreadFactory(name, true);
    this.loop = loop;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only the owner of the loop writes it
  void callerEntered() {
    entries++;
  }

  /** Called when a caller has left the loop. */
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

  /** Makes the keeper check whether the loop needs it. */
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
      // A client may outlive the application that created it.
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

  /** Waits. Returns whether no caller entered the loop meanwhile. */
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
        // Nothing stops this thread by an interrupt. With the flag set, the selector could not
        // block.
        boolean unused = Thread.interrupted();
        loop.turn();
      }
    } finally {
      callerCame = false;
      loop.release();
    }
  }
}
