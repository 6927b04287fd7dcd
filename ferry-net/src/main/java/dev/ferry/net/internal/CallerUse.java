package dev.ferry.net.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.RateLimit;
import dev.ferry.net.Admission;
import dev.ferry.net.CallerLimits;
import dev.ferry.net.RequestLimit;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What a caller uses of a server. Thread-safe. */
public final class CallerUse {
  /** Nobody knows when a call ends. */
  private static final Duration LATER = Duration.ofSeconds(1);

  private final RequestRate rate;
  private final AtomicInteger calls = new AtomicInteger();
  private @Nullable RateLimit bytes;

  /**
   * @param now of the clock of {@link #admit}, in nanoseconds
   */
  public CallerUse(long now) {
    rate = new RequestRate(now);
  }

  /**
   * Counts a request.
   *
   * @param now nanoseconds
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if it is one too many
   */
  public Admission admit(CallerLimits limits, long now) throws FerryException {
    if (calls.incrementAndGet() > limits.calls()) {
      calls.decrementAndGet();
      throw new FerryException(
              ErrorKind.OVERLOADED,
              "this caller has " + limits.calls() + " calls at a time, and may have no more")
          .withRetryAfter(LATER);
    }
    RequestLimit requests = limits.requests();
    long delay = requests == null ? 0 : rate.take(requests, now);
    if (delay > 0) {
      calls.decrementAndGet();
      throw new FerryException(
              ErrorKind.OVERLOADED, "this caller has sent more than " + requests + " permits")
          .withRetryAfter(Duration.ofNanos(delay));
    }
    return new Admission(calls::decrementAndGet, bytes(limits.bytesPerSecond()));
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
