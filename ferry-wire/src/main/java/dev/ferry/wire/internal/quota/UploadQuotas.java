package dev.ferry.wire.internal.quota;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.upload.UploadId;
import dev.ferry.wire.Quota;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How much a caller may upload, and what its uploads have used of it. Thread-safe.
 *
 * @param files how many files and directories; null for any number
 * @param usedFiles what all requests of the caller have used of it
 * @param total how many bytes; null for any number
 * @param usedTotal as {@code usedFiles}
 * @param continued what the requests have reserved that receive uploads that can be continued
 * @param nanoTime the clock of both
 */
record UploadQuotas(
    @Nullable Quota files,
    LeakyBucket usedFiles,
    @Nullable Quota total,
    LeakyBucket usedTotal,
    Map<UploadId, QuotaReservation> continued,
    LongSupplier nanoTime) {
  private static final String MADE = "made as many files and folders";
  private static final String UPLOADED = "uploaded as much";

  /**
   * Reserves files and directories.
   *
   * @param path for messages
   * @param number from 0
   * @param before how many the same request has reserved before
   * @throws FerryException with {@link ErrorKind#TOO_LARGE} if they are more than the caller may
   *     ever make at once; with {@link ErrorKind#OVERLOADED} and a time to come back if they are
   *     too many now
   */
  void reserveFiles(StorePath path, long number, long before) throws FerryException {
    if (files == null || number <= 0) {
      return;
    }
    if (before + number > files.amount()) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          "%s: takes %d files and folders, more than %s permits to this user"
              .formatted(path, before + number, files));
    }
    requireNoDelay(files, MADE, usedFiles.reserve(files, number, now()));
  }

  /** Counts files and directories that were reserved. */
  void useFiles(long number) {
    if (files != null && number > 0) {
      usedFiles.use(files, number, now());
    }
  }

  /** Gives back files and directories that were reserved and not made. */
  void giveBackFiles(long number) {
    if (files != null) {
      usedFiles.giveBack(number);
    }
  }

  /**
   * Reserves bytes.
   *
   * @param bytes from 0
   * @throws FerryException with {@link ErrorKind#TOO_LARGE} if they are more than the caller may
   *     ever upload at once; with {@link ErrorKind#OVERLOADED} and a time to come back if they are
   *     too many now
   */
  void reserveBytes(StorePath path, long bytes) throws FerryException {
    if (total != null && bytes > 0) {
      requirePossible(path, total, bytes);
      requireNoDelay(total, UPLOADED, usedTotal.reserve(total, bytes, now()));
    }
  }

  /** Counts bytes that were reserved. */
  void useBytes(long bytes) {
    if (total != null && bytes > 0) {
      usedTotal.use(total, bytes, now());
    }
  }

  /** Gives back bytes that were reserved and not written. */
  void giveBackBytes(long bytes) {
    if (total != null) {
      usedTotal.giveBack(bytes);
    }
  }

  /**
   * Counts bytes that were not reserved. Throws as {@link #reserveBytes} would for all bytes of the
   * upload, and then counts nothing.
   *
   * @param before the bytes of the upload that were counted before
   */
  void takeBytes(StorePath path, long bytes, long before) throws FerryException {
    if (total != null && bytes > 0) {
      long now = now();
      long delay = usedTotal.take(total, bytes, now);
      if (delay > 0) {
        requirePossible(path, total, before + bytes);
        long whole = usedTotal.delay(total, before + bytes, now);
        requireNoDelay(total, UPLOADED, Math.max(delay, whole));
      }
    }
  }

  private long now() {
    return nanoTime.getAsLong();
  }

  private static void requirePossible(StorePath path, Quota total, long bytes)
      throws FerryException {
    if (bytes > total.amount()) {
      throw new FerryException(
          ErrorKind.TOO_LARGE, path + ": has more bytes than " + total + " permits to this user");
    }
  }

  private static void requireNoDelay(Quota quota, String done, long delay) throws FerryException {
    if (delay > 0) {
      throw new FerryException(
              ErrorKind.OVERLOADED, "this user has " + done + " as " + quota + " permits")
          .withRetryAfter(Duration.ofNanos(delay));
    }
  }
}
