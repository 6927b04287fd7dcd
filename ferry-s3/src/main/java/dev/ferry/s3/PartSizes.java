package dev.ferry.s3;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;

/**
 * The parts of an upload. All have the same size except the last one, so that every server knows
 * where each begins.
 *
 * @param bytes bytes of a part
 * @param buffers buffers of this size that the upload may use: one is filled, the others are sent
 */
record PartSizes(int bytes, int buffers) {
  /** What S3 takes at most in one upload. */
  static final int MOST_PARTS = 10_000;

  /** Bytes of a part of a file of less than {@link #LARGE_FILE}. S3 takes 5 MiB or more. */
  static final int USUAL = 8 << 20;

  /** Bytes of all buffers of an upload at most. */
  static final int MEMORY = 64 << 20;

  /** From this size on, requests for larger parts save more time than they cost at the end. */
  private static final long LARGE_FILE = 64 << 20;

  private static final int LARGE = 16 << 20;
  private static final int LARGEST = MEMORY / 2;
  private static final int USUAL_BUFFERS = 4;
  private static final int STEP = 1 << 20;

  /**
   * Returns the parts of a file.
   *
   * @param size bytes of the file; negative if they are not known
   * @throws FerryException with {@link ErrorKind#TOO_LARGE} if it takes more than 10,000 parts of
   *     32 MiB
   */
  static PartSizes of(long size, String label) throws FerryException {
    long least = (size + MOST_PARTS - 1) / MOST_PARTS;
    if (least > LARGEST) {
      throw tooLarge(label, LARGEST);
    }
    int usual = size < 0 || size >= LARGE_FILE ? LARGE : USUAL;
    return of((int) Math.max(usual, (least + STEP - 1) / STEP * STEP));
  }

  /** Returns the parts of an upload that has begun with this size. */
  static PartSizes of(int bytes) {
    return new PartSizes(bytes, Math.max(2, Math.min(USUAL_BUFFERS, MEMORY / Slabs.bytes(bytes))));
  }

  /** Returns the failure of an upload with too many parts. */
  FerryException tooLarge(String label) {
    return tooLarge(label, bytes);
  }

  private static FerryException tooLarge(String label, int bytes) {
    return new FerryException(
        ErrorKind.TOO_LARGE,
        "%s: the object store takes %,d parts of %d MiB, which is %,d GiB"
            .formatted(label, MOST_PARTS, bytes >> 20, (long) MOST_PARTS * bytes >> 30));
  }
}
