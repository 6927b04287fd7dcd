package dev.ferry.core.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects a stalled peer: no bytes have moved for the limit while bytes were due.
 *
 * <p>Threads that move bytes call {@link #moved}, which costs a plain write. A timer or a waiting
 * thread calls {@link #look} at intervals. The watch reads no clock; it adds up the time between
 * looks. Time in which the process is suspended therefore does not count.
 *
 * <p>If the peer is one of several servers, the watch also finds out whether it still exists: after
 * half a second without progress it has a thread connect to it ({@link #probeBy}), and again later.
 * After two failures in a row the peer is gone. So a machine that vanished is left long before the
 * limit, and one that is only slow is not. Thread-safe.
 */
public final class StallWatch {
  /** Probes that fail in a row when the peer is gone. One may fail by chance. */
  private static final int FAILED_PROBES = 2;

  /** Looks per limit. A stall is detected at most 1/8 of the limit late. */
  private static final int LOOKS = 8;

  /** Assumed minimum rate of the peer's disk and digest, in bytes per second. */
  private static final long WORK_RATE = 50_000_000;

  /** Time without progress before the first probe, and the longest before another one. */
  private static final long FIRST_PROBE = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long LAST_PROBE = TimeUnit.SECONDS.toNanos(10);

  /** Time between two looks with a probe, at most. */
  private static final long PROBING_INTERVAL = TimeUnit.MILLISECONDS.toNanos(200);

  private final Duration limit;
  private final boolean limitsWork;
  private final AtomicLong moves = new AtomicLong();
  private volatile boolean due = true;
  private volatile boolean working;
  private volatile long allowed;
  private long seen = -1;
  private long quiet;
  private volatile @Nullable BooleanSupplier probe;

  /** Whether the peer has something to do or to send, whatever {@link #due} says of the limit. */
  private volatile boolean peersTurn = true;

  private volatile boolean gone;
  private long nextProbe = FIRST_PROBE;
  private final AtomicInteger failedProbes = new AtomicInteger();

  /**
   * Creates a watch. Bytes are due immediately.
   *
   * @param limit maximum time without progress; zero means no limit
   * @param limitsWork whether the limit also applies while the peer works, after {@link
   *     #expectResponse}; false if the connection itself detects a dead peer
   */
  public StallWatch(Duration limit, boolean limitsWork) {
    this.limit = limit;
    this.limitsWork = limitsWork;
    this.allowed = limit.toNanos();
  }

  /** Creates a watch that never detects a stall. */
  public static StallWatch none() {
    return new StallWatch(Duration.ZERO, false);
  }

  /**
   * Finds out by connecting whether the peer still exists.
   *
   * @param reachable returns whether the peer takes a connection, in a second or two; called on a
   *     thread that may wait
   */
  public void probeBy(BooleanSupplier reachable) {
    probe = reachable;
  }

  /** Whether the peer took no connection, twice in a row, while it was silent. */
  public boolean isGone() {
    return gone;
  }

  /** Whether a silent peer is detected. */
  public boolean limited() {
    return !limit.isZero() || probe != null;
  }

  /** Nanoseconds between two looks, for a watch that is {@link #limited}. */
  public long interval() {
    long ofLimit = Math.max(limit.toNanos() / LOOKS, TimeUnit.MILLISECONDS.toNanos(1));
    return probe == null
        ? ofLimit
        : limit.isZero() ? PROBING_INTERVAL : Math.min(ofLimit, PROBING_INTERVAL);
  }

  /** The current maximum time without progress. */
  public Duration allowed() {
    return Duration.ofNanos(allowed);
  }

  /** Records that bytes have moved. */
  public void moved() {
    // Not atomic: two threads may lose an increment, but the other thread still changes the value.
    moves.setOpaque(moves.getPlain() + 1);
  }

  /** From now on, bytes are due from the peer, or the peer must take bytes. */
  public void expect() {
    moved();
    allowed = limit.toNanos();
    due = true;
    peersTurn = true;
  }

  /** From now on, nothing is due from the peer: this end is working. */
  public void pause() {
    due = false;
    peersTurn = false;
  }

  /**
   * From now on, a response is due, before which the peer must read, verify or write this many
   * bytes.
   */
  public void expectResponse(long bytes) {
    moved();
    allowed = limit.toNanos() + (long) (1e9 * bytes / WORK_RATE);
    due = limitsWork;
    peersTurn = true;
  }

  /**
   * Sets whether this end is working, for instance on its disk. This time does not count as a
   * stall.
   */
  public void working(boolean now) {
    if (now) {
      working = true;
    } else {
      moved();
      working = false;
    }
  }

  /**
   * Checks whether bytes have moved.
   *
   * @param since nanoseconds since the last look
   * @return whether the call has stalled, or its peer is {@linkplain #isGone gone}
   */
  public synchronized boolean look(long since) {
    long now = moves.get();
    if (!limited() || !peersTurn || working || now != seen) {
      seen = now;
      quiet = 0;
      nextProbe = FIRST_PROBE;
      failedProbes.set(0);
      gone = false;
      return false;
    }
    quiet += since;
    probeInTime();
    return gone || (!limit.isZero() && due && quiet >= allowed);
  }

  private void probeInTime() {
    BooleanSupplier reachable = probe;
    if (reachable == null || quiet < nextProbe) {
      return;
    }
    nextProbe = quiet + Math.min(quiet, LAST_PROBE);
    long before = seen;
    Thread unused =
        DaemonThreads.start(
            "ferry-probe",
            () -> {
              if (reachable.getAsBoolean() || moves.get() != before) {
                failedProbes.set(0);
              } else if (failedProbes.incrementAndGet() >= FAILED_PROBES) {
                gone = true;
              }
            });
  }
}
