package dev.ferry.net.internal;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what a server refused its clients. Such things are not logged above debug: a client could
 * fill the log with them. Thread-safe.
 */
public final class Refusals {
  /** Why something was refused. */
  public enum Reason {
    /** A connection, because too many were open. */
    TOO_MANY_CONNECTIONS,
    /** A connection that had not said in time what it wants. */
    NO_HANDSHAKE,
    /** A connection whose frames of HTTP/2 asked for work and moved nothing. */
    FLOOD,
    /** A call, a stream or a connection whose client neither sent nor took a byte that was due. */
    STALL,
    /** A message of a call that cannot be read, or has no sense where it stands. */
    BAD_MESSAGE
  }

  private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

  public Refusals() {
    for (Reason reason : Reason.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  /** Counts one more. */
  public void count(Reason reason) {
    adder(reason).increment();
  }

  /** How many there were since the server began. */
  public long of(Reason reason) {
    return adder(reason).sum();
  }

  private LongAdder adder(Reason reason) {
    LongAdder adder = counts.get(reason);
    if (adder == null) {
      throw new IllegalStateException("no counter of " + reason);
    }
    return adder;
  }
}
