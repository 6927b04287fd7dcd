package dev.ferry.net;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the open connections of all ports that share it, and those of each client address.
 * Thread-safe.
 */
public final class ConnectionCounter {
  private final int max;
  private final int maxPerAddress;
  private final AtomicInteger open = new AtomicInteger();
  private final ConcurrentHashMap<InetAddress, Integer> openByAddress = new ConcurrentHashMap<>();

  /**
   * Creates a counter.
   *
   * @param max most connections that may be open at once, at least 1
   * @param maxPerAddress most of one client address, at least 1
   */
  public ConnectionCounter(int max, int maxPerAddress) {
    if (max < 1 || maxPerAddress < 1) {
      throw new IllegalArgumentException(
          "limits of connections " + max + " and " + maxPerAddress + " are not both positive");
    }
    this.max = max;
    this.maxPerAddress = maxPerAddress;
  }

  /**
   * Counts a connection, unless that is one too many.
   *
   * @return whether it may stay; if so, {@link #closed} is due when it ends
   */
  public boolean tryOpen(InetAddress client) {
    if (open.incrementAndGet() > max) {
      open.decrementAndGet();
      return false;
    }
    boolean[] counted = {false};
    openByAddress.compute(
        client,
        (address, count) -> {
          int before = count == null ? 0 : count;
          counted[0] = before < maxPerAddress;
          return counted[0] ? Integer.valueOf(before + 1) : count;
        });
    if (!counted[0]) {
      open.decrementAndGet();
    }
    return counted[0];
  }

  /** A connection that was counted has ended. */
  public void closed(InetAddress client) {
    open.decrementAndGet();
    openByAddress.computeIfPresent(
        client, (address, count) -> count == 1 ? null : Integer.valueOf(count - 1));
  }

  /** Connections that are open now. */
  public int open() {
    return open.get();
  }
}
