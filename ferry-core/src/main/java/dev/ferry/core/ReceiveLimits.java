package dev.ferry.core;

import java.time.Duration;
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
 * @param keepPartial how long a store keeps an upload that can be continued after its last byte,
 *     and remembers that it is complete; zero keeps none
 */
public record ReceiveLimits(
    long maxFileSize,
    long maxReceiving,
    @Nullable Long keepFree,
    int maxExpansion,
    Duration keepPartial) {
  /**
   * Size in bytes up to which the decompression ratio is not checked. A few kilobytes of repetitive
   * text can legitimately have a high ratio.
   */
  public static final long FREE_OF_RATIO = 10 * 1024 * 1024;

  /** Maximum bytes to keep free by default. */
  public static final long MOST_KEPT_FREE = 64 * 1024 * 1024;

  /** gzip usually compresses to a tenth, rarely to a fiftieth, and zeros to 1/1,032. */
  public static final int DEFAULT_EXPANSION = 200;

  /** Time that partial uploads are kept by default. */
  public static final Duration DEFAULT_KEEP = Duration.ofHours(24);

  /** Limits for stores, where clients upload: keeps the default part of the disk free. */
  public static final ReceiveLimits STORE =
      new ReceiveLimits(Long.MAX_VALUE, Long.MAX_VALUE, null, DEFAULT_EXPANSION);

  /** Limits for downloads, which the user requests: any size that fits on the disk. */
  public static final ReceiveLimits OWN =
      new ReceiveLimits(Long.MAX_VALUE, Long.MAX_VALUE, 0L, DEFAULT_EXPANSION);

  private static final int PART_KEPT_FREE = 100;

  /** Creates limits that keep partial uploads for {@link #DEFAULT_KEEP}. */
  public ReceiveLimits(
      long maxFileSize, long maxReceiving, @Nullable Long keepFree, int maxExpansion) {
    this(maxFileSize, maxReceiving, keepFree, maxExpansion, DEFAULT_KEEP);
  }

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
    if ((keepFree != null && keepFree < 0) || maxExpansion < 0 || keepPartial.isNegative()) {
      throw new IllegalArgumentException(
          "keeping %s bytes, a ratio of %s and %s: none is negative"
              .formatted(keepFree, maxExpansion, keepPartial));
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

  /**
   * Checks the ratio of a file whose size was not announced.
   *
   * @param name the name of the file in messages
   * @param came decompressed bytes
   * @param arrived the same bytes as they were encoded in transit; 0 if unknown
   * @throws FerryException with {@link ErrorKind#TOO_LARGE} if the ratio exceeds {@link
   *     #maxExpansion}
   */
  public void requireExpansion(String name, long came, long arrived) throws FerryException {
    boolean checked = maxExpansion > 0 && arrived > 0;
    if (checked && came > FREE_OF_RATIO && came / maxExpansion >= arrived) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          name
              + ": decompresses to more than "
              + maxExpansion
              + " times what was sent, and its size was not announced; announce it");
    }
  }

  public ReceiveLimits withMaxFileSize(long value) {
    return new ReceiveLimits(value, maxReceiving, keepFree, maxExpansion, keepPartial);
  }

  public ReceiveLimits withMaxReceiving(long value) {
    return new ReceiveLimits(maxFileSize, value, keepFree, maxExpansion, keepPartial);
  }

  public ReceiveLimits withKeepFree(@Nullable Long value) {
    return new ReceiveLimits(maxFileSize, maxReceiving, value, maxExpansion, keepPartial);
  }

  public ReceiveLimits withMaxExpansion(int value) {
    return new ReceiveLimits(maxFileSize, maxReceiving, keepFree, value, keepPartial);
  }

  public ReceiveLimits withKeepPartial(Duration value) {
    return new ReceiveLimits(maxFileSize, maxReceiving, keepFree, maxExpansion, value);
  }
}
