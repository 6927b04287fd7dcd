package dev.ferry.core.internal;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * Divides what all callers of a server have in common: room on the disk, memory, threads, locks.
 * Who takes of it is a holder: a user, or the network of an unknown one. A holder gets at most half
 * of what the others leave, so however much one takes, another one still gets some. It need not be
 * asked what anyone needs.
 *
 * <p>A hostile client can take half as one holder, and all but 1/2<sup>n</sup> as n of them, that
 * is with the tokens of n users, or from n networks. What is given back is free for all at once.
 * Thread-safe.
 */
public final class CallerShares {
  /** The holder of what belongs to no caller, which is not limited to a share. */
  public static final String NOBODY = "";

  private static final int NETWORK_BYTES = 8;

  private final long all;
  private final Map<String, Long> held = new HashMap<>();
  private long taken;

  /**
   * @param all what there is to take, in any unit
   */
  public CallerShares(long all) {
    this.all = all;
  }

  /** Returns the holder that a user is. */
  public static String ofUser(String name) {
    return "user " + name;
  }

  /**
   * Returns the holder that an unknown user is: its address, or in IPv6 its network of 64 bits, of
   * which a client has all addresses.
   */
  public static String of(InetAddress address) {
    byte[] bytes = address.getAddress();
    byte[] counted = address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes;
    return "address " + HexFormat.of().formatHex(counted);
  }

  /**
   * Returns how much more a holder gets, where it is not known beforehand how much there is.
   *
   * @param left what nobody has
   * @param own what the holder has
   */
  public static long most(String holder, long left, long own) {
    // As much as others could still have then; rounded up, so that a last one can be had.
    long more = holder.isEmpty() ? left : (left - own) / 2 + (left - own) % 2;
    return Math.max(more, 0);
  }

  /** Returns how much more a holder gets now. */
  public synchronized long most(String holder) {
    return most(holder, all - taken, held(holder));
  }

  /** Returns what a holder has. */
  public synchronized long held(String holder) {
    return held.getOrDefault(holder, 0L);
  }

  /**
   * Takes an amount, unless it is more than the share of its holder. Returns whether it did.
   *
   * @throws IllegalArgumentException if the amount is negative
   */
  public synchronized boolean take(String holder, long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException("amount " + amount + " is negative");
    }
    if (amount > most(holder)) {
      return false;
    }
    held.merge(holder, amount, Long::sum);
    taken += amount;
    return true;
  }

  /** Gives back what was taken. */
  public synchronized void giveBack(String holder, long amount) {
    taken -= amount;
    held.computeIfPresent(holder, (key, own) -> own == amount ? null : own - amount);
  }

  /** Returns what there is, taken or not. */
  public long all() {
    return all;
  }

  /** Returns what nobody has. */
  public synchronized long left() {
    return all - taken;
  }
}
