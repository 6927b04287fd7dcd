package dev.ferry.wire.internal;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts rejected connections, streams and calls. They are logged only at debug level, because a
 * client could otherwise fill the log. Thread-safe.
 */
public final class Refusals {
  /** The reason for a rejection. */
  public enum Reason {
    /** A connection was closed because too many were open. */
    TOO_MANY_CONNECTIONS,
    /**
     * A connection was closed because it did not complete its handshake in time, or began in
     * another protocol than that of the port.
     */
    NO_HANDSHAKE,
    /**
     * A connection was closed because it sent too many HTTP/2 frames without payload, or too many
     * HTTP/1.1 requests ahead of their responses.
     */
    FLOOD,
    /**
     * A call, a stream or a connection was ended because its client neither sent nor accepted bytes
     * that were due.
     */
    STALL,
    /** A request was refused because it had no token, or one that no caller has. */
    NO_CALLER,
    /** A request was refused because its caller had sent too many. */
    TOO_MANY_REQUESTS,
    /** A message of a call is malformed, or not allowed at its position in the stream. */
    BAD_MESSAGE
  }

  private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

  public Refusals() {
    for (Reason reason : Reason.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  /** Increments a counter. */
  public void count(Reason reason) {
    adder(reason).increment();
  }

  /** The count since the server started. */
  public long of(Reason reason) {
    return adder(reason).sum();
  }

  /** Returns the counts by the names of the reasons, such as {@code too-many-connections}. */
  public Map<String, Long> byName() {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach(
        (reason, count) ->
            named.put(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), count.sum()));
    return named;
  }

  private LongAdder adder(Reason reason) {
    LongAdder adder = counts.get(reason);
    if (adder == null) {
      throw new IllegalStateException("no counter of " + reason);
    }
    return adder;
  }
}
