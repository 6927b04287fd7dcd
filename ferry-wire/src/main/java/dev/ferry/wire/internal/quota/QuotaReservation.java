package dev.ferry.wire.internal.quota;

import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;

/**
 * What one request has reserved of the quotas of its caller and has not used yet, so that requests
 * that run at the same time do not use it up. It has to be given back at the end. Thread-safe.
 */
final class QuotaReservation {
  private final UploadQuotas quotas;
  private long files;
  private long bytes;

  QuotaReservation(UploadQuotas quotas) {
    this.quotas = quotas;
  }

  /** Reserves more files and directories; see {@link UploadQuotas#reserveFiles}. */
  synchronized void addFiles(StorePath path, long number) throws FerryException {
    quotas.reserveFiles(path, number, files);
    files += number;
  }

  /** Reserves more bytes, from 0; see {@link UploadQuotas#reserveBytes}. */
  synchronized void addBytes(StorePath path, long number) throws FerryException {
    quotas.reserveBytes(path, number);
    bytes += number;
  }

  /** Counts files and directories that were made, as far as they are reserved. */
  synchronized void useFiles(long number) {
    long used = Math.max(0, Math.min(number, files));
    files -= used;
    quotas.useFiles(used);
  }

  /**
   * Counts bytes before they are written, also more than are reserved. Throws as {@link
   * UploadQuotas#takeBytes}, and then counts nothing.
   *
   * @param before the bytes of the upload that were counted before
   */
  synchronized void useBytes(StorePath path, long number, long before) throws FerryException {
    long used = Math.min(number, bytes);
    quotas.takeBytes(path, number - used, before + used);
    bytes -= used;
    quotas.useBytes(used);
  }

  /** Gives back what was not used. Further calls have no effect. */
  synchronized void giveBack() {
    quotas.giveBackFiles(files);
    quotas.giveBackBytes(bytes);
    files = 0;
    bytes = 0;
  }
}
