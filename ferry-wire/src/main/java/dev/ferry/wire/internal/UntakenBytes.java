package dev.ferry.wire.internal;

import dev.ferry.core.internal.CallerShares;
import java.net.InetAddress;

/**
 * The memory of what has arrived on the HTTP/2 connections of a port and what no call has taken
 * yet, since its user has a limit or the store is slow. Flow control bounds it for each call. Here
 * a network of clients gets its {@linkplain CallerShares share}, whatever number of calls and
 * connections it has. Thread-safe.
 */
final class UntakenBytes {
  /** Bytes of a connection that are not counted, so that each one may continue. */
  static final int SMALL = 64 * 1024;

  /** Bytes that are taken at a time, so that not each read asks. */
  private static final int STEP = 256 * 1024;

  private final CallerShares memory;

  /**
   * @param bytes what all connections may have together
   */
  UntakenBytes(long bytes) {
    this.memory = new CallerShares(bytes);
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
      long wanted = untaken <= SMALL ? 0 : (untaken / STEP + 1) * STEP;
      if (wanted > counted && !memory.take(holder, wanted - counted)) {
        return false;
      }
      if (wanted < counted) {
        memory.giveBack(holder, counted - wanted);
      }
      counted = wanted;
      return true;
    }

    /** Whether bytes are counted. */
    boolean isCounted() {
      return counted > 0;
    }
  }
}
