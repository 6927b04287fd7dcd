package dev.ferry.net.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.net.Quota;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How much a caller may upload, and what its uploads have used of it. Thread-safe.
 *
 * @param files how many files and directories; null for any number
 * @param usedFiles what all requests of the caller have used of it
 * @param total how many bytes; null for any number
 * @param usedTotal as {@code usedFiles}
 * @param nanoTime the clock of both
 */
record UploadQuotas(
    @Nullable Quota files,
    LeakyBucket usedFiles,
    @Nullable Quota total,
    LeakyBucket usedTotal,
    LongSupplier nanoTime) {
  /**
   * Counts nothing.
   *
   * @throws FerryException with {@link ErrorKind#OVERLOADED} and a time to come back if one more
   *     file is too many now
   */
  void requireFile() throws FerryException {
    if (files != null) {
      requireNoDelay(files, usedFiles.delay(files, 1, nanoTime.getAsLong()));
    }
  }

  /** Counts a file. Throws as {@link #requireFile}, and then counts nothing. */
  void takeFile() throws FerryException {
    if (files != null) {
      requireNoDelay(files, usedFiles.take(files, 1, nanoTime.getAsLong()));
    }
  }

  /** Takes back {@link #takeFile}, since the file was not made. */
  void returnFile() {
    if (files != null) {
      usedFiles.giveBack(files, 1);
    }
  }

  /**
   * Counts nothing.
   *
   * @param bytes from 0
   * @throws FerryException with {@link ErrorKind#TOO_LARGE} if they are more than the caller may
   *     ever upload at once; with {@link ErrorKind#OVERLOADED} and a time to come back if they are
   *     too many now
   */
  void requireBytes(StorePath path, long bytes) throws FerryException {
    if (total == null || bytes <= 0) {
      return;
    }
    if (bytes > total.amount()) {
      throw new FerryException(
          ErrorKind.TOO_LARGE, path + ": has more bytes than " + total + " permits to this caller");
    }
    requireNoDelay(total, usedTotal.delay(total, bytes, nanoTime.getAsLong()));
  }

  /**
   * Counts bytes. Throws as {@link #requireBytes} would for all bytes of the upload, and then
   * counts nothing.
   *
   * @param before the bytes of the upload that were counted before
   */
  void takeBytes(StorePath path, long bytes, long before) throws FerryException {
    if (total != null && bytes > 0) {
      long delay = usedTotal.take(total, bytes, nanoTime.getAsLong());
      if (delay > 0) {
        requireBytes(path, before + bytes);
        requireNoDelay(total, delay);
      }
    }
  }

  private static void requireNoDelay(Quota quota, long delay) throws FerryException {
    if (delay > 0) {
      throw new FerryException(
              ErrorKind.OVERLOADED, "this caller has uploaded as much as " + quota + " permits")
          .withRetryAfter(Duration.ofNanos(delay));
    }
  }
}
