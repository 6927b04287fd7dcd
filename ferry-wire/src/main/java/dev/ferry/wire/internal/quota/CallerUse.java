package dev.ferry.wire.internal.quota;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.RateLimit;
import dev.ferry.core.upload.UploadId;
import dev.ferry.wire.Admission;
import dev.ferry.wire.CallerLimits;
import dev.ferry.wire.Quota;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a caller uses of a server. Thread-safe. */
public final class CallerUse {
  /** Nobody knows when a call ends. */
  private static final Duration LATER = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;
  private final LeakyBucket requests;
  private final LeakyBucket files;
  private final LeakyBucket total;
  private final Map<UploadId, QuotaReservation> continued = new ConcurrentHashMap<>();
  private final AtomicInteger calls = new AtomicInteger();
  private @Nullable RateLimit bytes;

  /**
   * @param nanoTime the clock
   */
  public CallerUse(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    long now = nanoTime.getAsLong();
    requests = new LeakyBucket(now);
    files = new LeakyBucket(now);
    total = new LeakyBucket(now);
  }

  /**
   * Counts a request.
   *
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if it is one too many
   */
  public Admission admit(CallerLimits limits) throws FerryException {
    Runnable ended = begin(limits.calls());
    Quota quota = limits.requests();
    long delay = quota == null ? 0 : requests.take(quota, 1, nanoTime.getAsLong());
    if (delay > 0) {
      ended.run();
      throw new FerryException(
              ErrorKind.OVERLOADED, "this user has sent more than " + quota + " permits")
          .withRetryAfter(Duration.ofNanos(delay));
    }
    return new Admission(ended, bytes(limits.bytesPerSecond()), uploads(limits));
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

  private UnaryOperator<FileStore> uploads(CallerLimits limits) {
    if (limits.files() == null && limits.total() == null) {
      return UnaryOperator.identity();
    }
    UploadQuotas quotas =
        new UploadQuotas(limits.files(), files, limits.total(), total, continued, nanoTime);
    return store -> new QuotaStore(store, quotas);
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
