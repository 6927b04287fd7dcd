package dev.ferry.core;

import org.jspecify.annotations.Nullable;

/**
 * Limits for received files, so that a sender cannot fill the disk.
 *
 * @param maxFileSize maximum bytes of one file
 * @param maxReceiving maximum bytes of all files that are being received at the same time; an
 *     announced size counts in full from the beginning
 * @param keepFree bytes of the disk to keep free. Files that would use them are rejected, at the
 *     beginning if their size was announced. 0 disables the check. Null means 1 % of the disk, at
 *     most {@value #MOST_KEPT_FREE} bytes
 * @param maxExpansion maximum ratio of decompressed to compressed bytes for a file whose size was
 *     not announced, once it exceeds {@value #FREE_OF_RATIO} bytes; 0 means no limit
 */
public record ReceiveLimits(
    long maxFileSize, long maxReceiving, @Nullable Long keepFree, int maxExpansion) {
  /**
   * Size in bytes up to which the decompression ratio is not checked. A few kilobytes of repetitive
   * text can legitimately have a high ratio.
   */
  public static final long FREE_OF_RATIO = 10 * 1024 * 1024;

  /** Maximum bytes to keep free by default. */
  public static final long MOST_KEPT_FREE = 64 * 1024 * 1024;

  /** gzip usually compresses to a tenth, rarely to a fiftieth, and zeros to 1/1,032. */
  public static final int DEFAULT_EXPANSION = 200;

  /** Limits for stores, where clients upload: keeps the default part of the disk free. */
  public static final ReceiveLimits STORE =
      new ReceiveLimits(Long.MAX_VALUE, Long.MAX_VALUE, null, DEFAULT_EXPANSION);

  /** Limits for downloads, which the user requests: any size that fits on the disk. */
  public static final ReceiveLimits OWN =
      new ReceiveLimits(Long.MAX_VALUE, Long.MAX_VALUE, 0L, DEFAULT_EXPANSION);

  private static final int PART_KEPT_FREE = 100;

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a size limit is not positive, or another limit is negative
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

  /** Bytes to keep free on a disk of this size. */
  public long keptFreeOf(long disk) {
    return keepFree == null ? Math.min(MOST_KEPT_FREE, disk / PART_KEPT_FREE) : keepFree;
  }

  /** Whether receiving checks the free space of the disk. */
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
