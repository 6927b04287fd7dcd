package dev.ferry.core.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices that a peer has fallen silent: that nothing has moved for so long while bytes were due.
 *
 * <p>Whoever moves bytes says so, which costs a plain write. Somebody else looks now and then, on a
 * timer or while waiting, whether anything has moved since. No clock is read: only time between
 * looks counts, so a process that was stopped, or a thread that was busy, finds nothing stalled
 * when it goes on. Thread-safe.
 */
public final class StallWatch {
  /** Looks within the limit: a stall is noticed so much later than the limit at most. */
  private static final int LOOKS = 8;

  /** What a peer's disk and digest are taken to manage at least, in bytes a second. */
  private static final long WORK_RATE = 50_000_000;

  private final Duration limit;
  private final boolean limitsWork;
  private final AtomicLong moves = new AtomicLong();
  private volatile boolean due = true;
  private volatile boolean working;
  private volatile long allowed;
  private long seen = -1;
  private long quiet;

  /**
   * Creates a watch, to which bytes are due from now on.
   *
   * @param limit longest silence; zero means any
   * @param limitsWork whether a silent peer that was given work is ended as well, after {@link
   *     #expectAnswer}; false where the connection itself finds out whether it lives
   */
  public StallWatch(Duration limit, boolean limitsWork) {
    this.limit = limit;
    this.limitsWork = limitsWork;
    this.allowed = limit.toNanos();
  }

  /** One that never finds anything. */
  public static StallWatch none() {
    return new StallWatch(Duration.ZERO, false);
  }

  /** Whether looking makes sense: there is a limit. */
  public boolean limited() {
    return !limit.isZero();
  }

  /** Time between two looks, in nanoseconds; for a watch that is {@link #limited}. */
  public long interval() {
    return Math.max(limit.toNanos() / LOOKS, TimeUnit.MILLISECONDS.toNanos(1));
  }

  /** Longest silence that is allowed at the moment. */
  public Duration allowed() {
    return Duration.ofNanos(allowed);
  }

  /** Bytes have come or gone. */
  public void moved() {
    // One that is lost between two threads is made up for by the other.
    moves.setOpaque(moves.getPlain() + 1);
  }

  /** From now on bytes are due from the peer, or to be taken by it. */
  public void expect() {
    moved();
    allowed = limit.toNanos();
    due = true;
  }

  /** From now on nothing is due: it is this end that has something to do. */
  public void pause() {
    due = false;
  }

  /**
   * From now on an answer is due, before which the peer has to read, check or write so many bytes.
   */
  public void expectAnswer(long bytes) {
    moved();
    allowed = limit.toNanos() + (long) (1e9 * bytes / WORK_RATE);
    due = limitsWork;
  }

  /** Whether this end is at work, for instance on its disk: then nothing counts as silence. */
  public void working(boolean now) {
    if (now) {
      working = true;
    } else {
      moved();
      working = false;
    }
  }

  /**
   * Looks whether anything has moved.
   *
   * @param since nanoseconds since the last look
   * @return whether the silence has lasted as long as is allowed
   */
  public synchronized boolean look(long since) {
    long now = moves.get();
    if (!limited() || !due || working || now != seen) {
      seen = now;
      quiet = 0;
      return false;
    }
    quiet += since;
    return quiet >= allowed;
  }
}
