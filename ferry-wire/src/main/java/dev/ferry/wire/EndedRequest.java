package dev.ferry.wire;

import dev.ferry.core.ErrorKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request that has ended.
 *
 * @param request what was known when it began
 * @param caller the name of its caller; null if it has none, or none that the server knows
 * @param path the path in the store, or what the client sent instead of one, of any length and with
 *     any characters; null if no path arrived
 * @param target the path in the store that a move leads to; null for other requests, and if it did
 *     not arrive or is malformed
 * @param bytes the bytes of the file that were given to the transport or arrived; of a compressed
 *     upload by HTTP, those that were written
 * @param duration from the head of the request to the last byte of the response
 * @param error why it failed; null if it succeeded
 */
public record EndedRequest(
    ServedRequest request,
    @Nullable String caller,
    @Nullable String path,
    @Nullable String target,
    long bytes,
    Duration duration,
    @Nullable ErrorKind error) {}
