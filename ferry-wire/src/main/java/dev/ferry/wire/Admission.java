package dev.ferry.wire;

import dev.ferry.core.FileStore;
import dev.ferry.core.RateLimit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a server does with a request of a caller that it has admitted.
 *
 * @param ended run once when the request has ended; if its client has cut it, when the server has
 *     ended its work for it as well
 * @param rateLimit the limit of the bytes of files that the request sends and receives, which it
 *     shares with other requests; null for none
 * @param store returns the store for the request, which may limit uploads, over the one with the
 *     rules of the caller
 */
public record Admission(
    Runnable ended, @Nullable RateLimit rateLimit, UnaryOperator<FileStore> store) {
  /** Nothing but to serve it. */
  public static final Admission FREE = new Admission(() -> {}, null, store -> store);
}
