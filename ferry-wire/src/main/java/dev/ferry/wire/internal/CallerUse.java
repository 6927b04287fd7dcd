package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.RateLimit;
import dev.ferry.wire.Admission;
import dev.ferry.wire.CallerLimits;
import dev.ferry.wire.RequestRate;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What a caller uses of a server, and how much of it its limits leave. Thread-safe. */
public final class CallerUse {
  /** Nobody knows when a call ends. */
  private static final Duration LATER = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;
  private final LeakyBucket requests;
  private final AtomicInteger calls = new AtomicInteger();
  private @Nullable RateLimit bytes;

  /**
   * @param nanoTime the clock
   */
  public CallerUse(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    requests = new LeakyBucket(nanoTime.getAsLong());
  }

  /**
   * Counts a request.
   *
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if it is one too many
   */
  public Admission admit(CallerLimits limits) throws FerryException {
    Runnable ended = begin(limits.calls());
    RequestRate rate = limits.requests();
    long delay = rate == null ? 0 : requests.take(rate, nanoTime.getAsLong());
    if (delay > 0) {
      ended.run();
      throw new FerryException(
              ErrorKind.OVERLOADED, "this user has sent more than " + rate + " permits")
          .withRetryAfter(Duration.ofNanos(delay));
    }
    return new Admission(ended, bytes(limits.bytesPerSecond()));
  }

  /** Counts a call if there is a limit, and returns what ends it. */
  private Runnable begin(int most) throws FerryException {
    if (most == Integer.MAX_VALUE) {
      return Admission.FREE.ended();
    }
    if (calls.incrementAndGet() > most) {
      calls.decrementAndGet();
      throw new FerryException(
              ErrorKind.OVERLOADED,
              "this user has as many requests running as calls:" + most + " permits")
          .withRetryAfter(LATER);
    }
    return calls::decrementAndGet;
  }

  /** Returns the limit that all requests share. It begins anew if the callers file has another. */
  private synchronized @Nullable RateLimit bytes(long perSecond) {
    if (perSecond == CallerLimits.ANY_BYTES) {
      bytes = null;
    } else if (bytes == null || bytes.bytesPerSecond() != perSecond) {
      bytes = RateLimit.bytesPerSecond(perSecond);
    }
    return bytes;
  }
}
