package dev.ferry.lab.model.network;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a network between client and server is asked to be. Both directions are equal.
 *
 * @param name the name of a preset, or {@code custom}
 * @param rttMillis the round-trip time of a small packet without a queue, in milliseconds
 * @param rateMbit the rate of each direction in megabits of IP packets per second; null for no
 *     limit
 * @param lossPercent how many of a hundred packets of each direction are lost
 * @param queueBytes how many bytes may wait for the rate in each direction before packets are
 *     dropped
 * @param congestion the congestion control of the kernel; null for the one that the system uses
 */
public record Network(
    String name,
    double rttMillis,
    @Nullable Double rateMbit,
    double lossPercent,
    long queueBytes,
    @Nullable String congestion) {
  private static final double BITS_PER_MBIT = 1e6;
  private static final double MILLION_PERCENT = 1e4;
  private static final int DIGITS = 3;

  /** Returns the delay of each direction in nanoseconds. */
  public long delayNanos() {
    return Math.round(rttMillis * TimeUnit.MILLISECONDS.toNanos(1) / 2);
  }

  /** Returns the rate of each direction in bits per second; 0 for no limit. */
  public long rateBits() {
    return rateMbit == null ? 0 : Math.round(rateMbit * BITS_PER_MBIT);
  }

  /** Returns how many of a million packets are lost. */
  public long lossPerMillion() {
    return Math.round(lossPercent * MILLION_PERCENT);
  }

  /**
   * Returns whether segments of TCP may cross the wire together, which costs less CPU. The loss of
   * one would be the loss of all.
   */
  public boolean offload() {
    return lossPerMillion() == 0;
  }

  /** Returns it in words, for instance {@code metro: RTT 5 ms, 1000 Mbit/s, ...}. */
  @Override
  public String toString() {
    return "%s: RTT %s ms, %s, loss %s %%, queue %d bytes"
        .formatted(
            name,
            number(rttMillis),
            rateMbit == null ? "no limit of the rate" : number(rateMbit) + " Mbit/s",
            number(lossPercent),
            queueBytes);
  }

  private static String number(double value) {
    return BigDecimal.valueOf(value)
        .setScale(DIGITS, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }
}
