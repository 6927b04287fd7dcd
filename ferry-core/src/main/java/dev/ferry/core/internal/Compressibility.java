package dev.ferry.core.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Estimates from a few samples whether compression would make bytes of a file smaller. Files that
 * are compressed or encrypted already would not become smaller, and compressing them takes many
 * times as long as sending them.
 *
 * <p>The estimate is the probability that two bytes of the samples are equal. It is 1/256 for
 * random bytes and nearly so for compressed ones, and 1/20 or more for text. Bytes that are evenly
 * distributed and nevertheless repeat, for instance the same random block twice, are not
 * recognized. For one thread at a time.
 */
public final class Compressibility {
  private static final int SAMPLES = 2;
  private static final int SAMPLE_BYTES = 2048;

  /** Fewer bytes do not show how they are distributed. Compressing them costs nothing. */
  private static final int FEW_BYTES = 256;

  /** Two bytes are equal less often than once in so many pairs if compression is not worth it. */
  private static final long PAIRS = 200;

  private final ByteBuffer sample = ByteBuffer.allocate(SAMPLE_BYTES);
  private final int[] counts = new int[1 << Byte.SIZE];

  /**
   * Returns whether compression is likely to make a region of a file smaller. Reads 4 KiB of it.
   * True for less than 256 bytes.
   *
   * @param position the first byte of the region
   * @param length bytes of the region, 0 or more; it lies within the file
   */
  public boolean worthwhile(FileSource file, long position, long length) throws FerryException {
    return worthwhile(file::sample, position, length);
  }

  /** The same for the first bytes of an array. */
  public boolean worthwhile(byte[] content, int length) throws FerryException {
    return worthwhile(
        (sample, position) -> {
          sample.put(content, (int) position, sample.remaining());
          return sample.position();
        },
        0,
        length);
  }

  /** What samples are read from, as {@link FileSource#sample}. */
  @FunctionalInterface
  private interface Bytes {
    int sample(ByteBuffer sample, long position) throws FerryException;
  }

  private boolean worthwhile(Bytes file, long position, long length) throws FerryException {
    if (length < FEW_BYTES) {
      return true;
    }
    Arrays.fill(counts, 0);
    long bytes = 0;
    for (int i = 0; i < SAMPLES; i++) {
      long from = length * i / SAMPLES;
      int wanted = (int) Math.min(SAMPLE_BYTES, length * (i + 1) / SAMPLES - from);
      read(file, position + from, wanted);
      for (int at = 0; at < sample.limit(); at++) {
        counts[sample.get(at) & 0xff]++;
      }
      bytes += sample.limit();
    }
    long equal = 0;
    for (int count : counts) {
      equal += (long) count * (count - 1);
    }
    return equal * PAIRS > bytes * (bytes - 1);
  }

  /** Reads a sample; less of it if the file has become shorter, which its reader reports. */
  private void read(Bytes file, long position, int bytes) throws FerryException {
    sample.clear().limit(bytes);
    int unused = file.sample(sample, position);
    sample.flip();
  }
}
