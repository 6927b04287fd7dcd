package dev.ferry.wire;

import dev.ferry.core.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * What a server does with a request of a caller that it has admitted.
 *
 * @param ended run once when the request has ended; if its client has cut it, when the server has
 *     ended its work for it as well
 * @param rateLimit the limit of the bytes of files that the request sends and receives, which it
 *     shares with other requests; null for none
 */
public record Admission(Runnable ended, @Nullable RateLimit rateLimit) {
  /** Nothing but to serve it. */
  public static final Admission FREE = new Admission(() -> {}, null);
}
