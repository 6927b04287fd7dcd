package dev.ferry.core;

import org.jspecify.annotations.Nullable;

/**
 * How much whoever receives files takes, so that no sender can fill a disk.
 *
 * @param maxFileSize most bytes of one file
 * @param maxReceiving most bytes of all files together that are being received at once; a size that
 *     was announced counts whole from the beginning
 * @param keepFree bytes of the disk that are left free: what would take more of it is refused, from
 *     the beginning where its size was announced. 0 asks the disk nothing, which then says itself
 *     when it is full; null leaves 1 % of it, {@value #MOST_KEPT_FREE} bytes at most
 * @param maxExpansion how many times its compressed bytes a file may have whose size was not
 *     announced, beyond its first {@value #FREE_OF_RATIO} bytes; 0 means any
 */
public record ReceiveLimits(
    long maxFileSize, long maxReceiving, @Nullable Long keepFree, int maxExpansion) {
  /**
   * What compressed files may have whatever their ratio: a few kilobytes of a text that repeats
   * itself are nobody's attack.
   */
  public static final long FREE_OF_RATIO = 10 * 1024 * 1024;

  /** Most bytes that are left free of a disk of which nobody said how many. */
  public static final long MOST_KEPT_FREE = 64 * 1024 * 1024;

  /**
   * gzip compresses what says something to a tenth, rarely to a fiftieth, and zeros to a 1,032nd.
   */
  public static final int DEFAULT_EXPANSION = 200;

  /** Of files for a store, which others fill: whatever leaves the disk some room. */
  public static final ReceiveLimits STORE =
      new ReceiveLimits(Long.MAX_VALUE, Long.MAX_VALUE, null, DEFAULT_EXPANSION);

  /** Of files that somebody asked for: whatever fits on the disk. */
  public static final ReceiveLimits OWN =
      new ReceiveLimits(Long.MAX_VALUE, Long.MAX_VALUE, 0L, DEFAULT_EXPANSION);

  private static final int PART_KEPT_FREE = 100;

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException where one is negative, or leaves no byte to receive
   */
  public ReceiveLimits {
    if (maxFileSize < 1 || maxReceiving < 1) {
      throw new IllegalArgumentException(
          "limits of " + maxFileSize + " and " + maxReceiving + " bytes are not both positive");
    }
    if ((keepFree != null && keepFree < 0) || maxExpansion < 0) {
      throw new IllegalArgumentException(
          "keeping " + keepFree + " bytes and a ratio of " + maxExpansion + ": none is negative");
    }
  }

  /** Bytes that are left free of a disk of that size. */
  public long keptFreeOf(long disk) {
    return keepFree == null ? Math.min(MOST_KEPT_FREE, disk / PART_KEPT_FREE) : keepFree;
  }

  /** Whether the disk is asked what it has left. */
  public boolean keepsFree() {
    return keepFree == null || keepFree > 0;
  }

  public ReceiveLimits withMaxFileSize(long value) {
    return new ReceiveLimits(value, maxReceiving, keepFree, maxExpansion);
  }

  public ReceiveLimits withMaxReceiving(long value) {
    return new ReceiveLimits(maxFileSize, value, keepFree, maxExpansion);
  }

  public ReceiveLimits withKeepFree(@Nullable Long value) {
    return new ReceiveLimits(maxFileSize, maxReceiving, value, maxExpansion);
  }

  public ReceiveLimits withMaxExpansion(int value) {
    return new ReceiveLimits(maxFileSize, maxReceiving, keepFree, value);
  }
}
