package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.CallerShares;
import java.net.InetAddress;
import java.time.Duration;

/**
 * The memory of what has arrived on the HTTP/2 connections of a port and what no call has taken
 * yet, since its user has a limit or the store is slow. Flow control bounds it for each call. Here
 * a network of clients gets its {@linkplain CallerShares share}, whatever number of calls and
 * connections it has, and beyond it what one read brings on each connection. Thread-safe.
 */
final class UntakenBytes {
  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

  private final CallerShares memory;

  /**
   * @param bytes what all connections may have together
   */
  UntakenBytes(long bytes) {
    this.memory = new CallerShares(bytes);
  }

  /** Returns why a call is ended. */
  static FerryException tooMuch() {
    return new FerryException(
            ErrorKind.OVERLOADED,
            "too many bytes of uploads from this address are waiting; try again")
        .withRetryAfter(TRY_AGAIN);
  }

  /** Returns what is counted for all connections. */
  long counted() {
    return memory.all() - memory.left();
  }

  /** Returns the bytes of a new connection. */
  Connection connect(InetAddress client) {
    return new Connection(memory, CallerShares.of(client));
  }

  /** Those of one connection. Not thread-safe. */
  static final class Connection {
    private final CallerShares memory;
    private final String holder;
    private long counted;

    private Connection(CallerShares memory, String holder) {
      this.memory = memory;
      this.holder = holder;
    }

    /**
     * Counts the bytes that no call has taken now. Returns whether they are within the share;
     * otherwise what was counted before stays.
     */
    boolean count(long untaken) {
      if (untaken > counted && !memory.take(holder, untaken - counted)) {
        return false;
      }
      if (untaken < counted) {
        memory.giveBack(holder, counted - untaken);
      }
      counted = untaken;
      return true;
    }
  }
}
