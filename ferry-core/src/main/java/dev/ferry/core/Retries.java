package dev.ferry.core;

import dev.ferry.core.internal.TimeLeft;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How often a client repeats a call after a failure that may be over soon: the server cannot be
 * reached, the connection was lost or fell silent, or the server says that it is overloaded or
 * shutting down. All other failures, such as a missing file or an untrusted certificate, end a call
 * at once.
 *
 * <p>The delay before attempt {@code n + 1} is random, from 0 to 2<sup>n-1</sup> seconds and 30 s
 * at most: "full jitter" of Marc Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog,
 * 2015. So the clients of a server that comes back do not all return at the same time. If the
 * server states a time, that time passes before. Progress resets {@code n}. If there are other
 * servers, the first delay is none. Immutable and thread-safe.
 */
public final class Retries {
  /** Every failure ends the call. */
  public static final Retries NONE =
      new Retries(0, Duration.ZERO, (failure, delay) -> {}, new RealTiming());

  private static final long BASE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long CAP_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int MOST_DOUBLINGS = 5;
  private static final int MOST_ANEW = 5;

  /** A client does not wait longer for a server that wants it to. */
  private static final Duration LONGEST_WISH = Duration.ofMinutes(10);

  private final int most;
  private final Duration longest;
  private final Listener listener;
  private final Timing timing;

  /** Is told of each failure that another attempt follows. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Another attempt follows after the delay. Called on the thread of the call.
     *
     * @throws FerryException to end the call with this failure instead
     */
    void again(FerryException failure, Duration delay) throws FerryException;
  }

  /** A call that may be repeated. */
  @FunctionalInterface
  public interface Call<T> {
    T run() throws FerryException;
  }

  /** Time and chance. */
  interface Timing {
    long nanoTime();

    void sleep(Duration time) throws InterruptedException;

    /** Returns a random number, from 0 to 1. */
    double random();
  }

  private static final class RealTiming implements Timing {
    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    @Override
    public double random() {
      return ThreadLocalRandom.current().nextDouble();
    }
  }

  private Retries(int most, Duration longest, Listener listener, Timing timing) {
    this.most = most;
    this.longest = longest;
    this.listener = listener;
    this.timing = timing;
  }

  /**
   * Repeats calls.
   *
   * @param most attempts after the first one, from 0; progress resets the count
   * @param longest time without progress in which attempts begin; zero, or more than a hundred
   *     years, means no limit
   * @throws IllegalArgumentException if one of them is negative
   */
  public static Retries of(int most, Duration longest) {
    if (most < 0 || longest.isNegative()) {
      throw new IllegalArgumentException(most + " retries in " + longest + ": negative");
    }
    Duration limit = longest.compareTo(TimeLeft.LONGEST) > 0 ? Duration.ZERO : longest;
    return new Retries(most, limit, NONE.listener, NONE.timing);
  }

  /** Returns the same with a listener, for calls of any thread. */
  public Retries withListener(Listener value) {
    return new Retries(most, longest, value, timing);
  }

  Retries withTiming(Timing value) {
    return new Retries(most, longest, listener, value);
  }

  /** The listener. */
  public Listener listener() {
    return listener;
  }

  /**
   * Begins the attempts of a call.
   *
   * @param timeout time from now in which attempts begin; null means no limit
   */
  public Attempts begin(@Nullable Duration timeout) {
    return new Attempts(timeout);
  }

  /** Whether a failure may be over soon. */
  private static boolean isPassing(FerryException failure) {
    Outage outage = failure.outage();
    if (failure.retryAfter() != null) {
      return true;
    }
    return outage != null
        && switch (outage) {
          case REFUSED, NO_ROUTE, NO_CONNECTION, LOST, STALLED -> true;
          case NO_SUCH_HOST, NO_TLS, UNTRUSTED, OVERDUE, FOREIGN -> false;
        };
  }

  /** The attempts of one call. One thread at a time. */
  public final class Attempts {
    private final long start = timing.nanoTime();
    private final @Nullable Duration timeout;
    private int all;
    private int inVain;
    private int anew;
    private long since;

    private Attempts(@Nullable Duration timeout) {
      this.timeout = timeout;
    }

    /**
     * Waits until another attempt may begin.
     *
     * @param failure the failure of the last attempt
     * @param progress whether that attempt got further than those before
     * @throws FerryException if there is no other attempt: the failure, which says how many
     *     attempts there were; or with {@link ErrorKind#CANCELLED} if the thread is interrupted
     */
    public void again(FerryException failure, boolean progress) throws FerryException {
      // The network may have gone after the name was resolved for the first time.
      boolean passing = isPassing(failure) || (all > 0 && failure.outage() == Outage.NO_SUCH_HOST);
      if (!passing) {
        throw failure;
      }
      long now = timing.nanoTime();
      if (progress || inVain == 0) {
        inVain = 0;
        since = now;
      }
      Duration delay = delay(failure);
      count(failure, over(now, delay));
      listener.again(failure, delay);
      try {
        timing.sleep(delay);
      } catch (InterruptedException e) {
        throw FerryException.interrupted(failure.getMessage() + "; cancelled", e);
      }
    }

    /**
     * Begins another attempt at once, whatever the failure is, at most {@value #MOST_ANEW} times.
     *
     * @throws FerryException the failure, if there is no other attempt
     */
    public void anew(FerryException failure) throws FerryException {
      anew++;
      count(failure, anew > MOST_ANEW);
      listener.again(failure, Duration.ZERO);
    }

    private void count(FerryException failure, boolean over) throws FerryException {
      all++;
      inVain++;
      if (over || inVain > most) {
        throw all == 1
            ? failure
            : new FerryException(
                failure.kind(),
                failure.outage(),
                failure.getMessage() + "; gave up after " + all + " attempts",
                failure);
      }
    }

    private boolean over(long now, Duration delay) {
      if (delay.compareTo(LONGEST_WISH) > 0) {
        return true;
      }
      long then = now + delay.toNanos();
      return (timeout != null && then - start > timeout.toNanos())
          || (!longest.isZero() && then - since > longest.toNanos());
    }

    private Duration delay(FerryException failure) {
      if (failure.hasOtherServers() && inVain == 0) {
        return Duration.ZERO;
      }
      long top = Math.min(CAP_NANOS, BASE_NANOS << Math.min(inVain, MOST_DOUBLINGS));
      Duration random = Duration.ofNanos((long) (timing.random() * top));
      Duration wish = failure.retryAfter();
      return wish == null ? random : wish.plus(random);
    }
  }
}
