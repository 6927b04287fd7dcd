package dev.ferry.wire;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts open connections, in total and per client address. Ports that share a counter share its
 * limits. Thread-safe.
 */
public final class ConnectionCounter {
  private final int max;
  private final int maxPerAddress;
  private final AtomicInteger open = new AtomicInteger();
  private final ConcurrentHashMap<InetAddress, Integer> openByAddress = new ConcurrentHashMap<>();

  /**
   * Creates a counter.
   *
   * @param max maximum open connections, at least 1
   * @param maxPerAddress maximum open connections of one client address, at least 1
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
   * Counts a connection, unless it would exceed a limit.
   *
   * @return whether the connection is allowed; if so, call {@link #closed} when it ends
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

  /** Releases a counted connection. */
  public void closed(InetAddress client) {
    open.decrementAndGet();
    openByAddress.computeIfPresent(
        client, (address, count) -> count == 1 ? null : Integer.valueOf(count - 1));
  }

  /** Number of open connections. */
  public int open() {
    return open.get();
  }
}
