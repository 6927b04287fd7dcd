package dev.ferry.compress;

import com.intel.gkl.compression.IntelInflater;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Inflates single, valid members with Intel GKL. Another decompressor handles several members, data
 * that does not fit, and damaged data, so that all errors come from one implementation.
 *
 * <p>{@link IntelInflater} reports only the number of bytes written and, with {@code finished()},
 * whether it has read all of its input. It reads up to eight bytes ahead. A member is accepted if
 * all input was read and its length and CRC-32 match the trailer at the end of the input, so its
 * content is correct. A truncated last symbol, or up to eight extra bytes before the trailer, are
 * not detected.
 *
 * <p>Its superclass holds an unused zlib stream of the JDK, which is released by garbage
 * collection.
 */
final class IntelGzipDecompressor extends BoundedDecompressor {
  /** A match of 258 bytes takes at least two bits. */
  private static final int MAX_EXPANSION = 1032;

  private final IntelInflater inflater = new IntelInflater(true);
  private final ReusedArray compressed = new ReusedArray();
  private final ReusedArray plain = new ReusedArray();
  private final CRC32 crc = new CRC32();
  private final Supplier<Decompressor> others;
  private @Nullable Decompressor other;

  /**
   * Creates the decompressor.
   *
   * @param others creates the other decompressor when it is first needed; it is closed with this
   *     one
   */
  IntelGzipDecompressor(Supplier<Decompressor> others) {
    this.others = others;
  }

  @Override
  void read(ByteBuffer input, ByteBuffer target)
      throws CorruptDataException, DecompressedTooLargeException {
    GzipMember.skipHeader(input);
    if (!inflate(input, target)) {
      if (other == null) {
        other = others.get();
      }
      other.decompress(input.position(0), target);
    }
  }

  /**
   * Inflates the data after a header.
   *
   * @return whether it was a single valid member; if not, the target's position has not changed
   */
  private boolean inflate(ByteBuffer in, ByteBuffer target) throws CorruptDataException {
    int deflated = in.remaining() - GzipMember.TRAILER_BYTES;
    long stated = GzipMember.decompressedSize(in.duplicate().position(0));
    // IntelInflater does not support empty arrays. Impossible sizes must not allocate an array.
    if (deflated <= 0
        || stated == 0
        || stated > target.remaining()
        || stated > (long) deflated * MAX_EXPANSION) {
      return false;
    }
    byte[] from = compressed.atLeast(deflated);
    in.get(from, 0, deflated);
    byte[] to = plain.atLeast((int) stated);
    int n;
    try {
      inflater.reset();
      inflater.setInput(from, 0, deflated);
      n = inflater.inflate(to, 0, (int) stated);
    } catch (RuntimeException e) {
      // IntelInflater throws this for invalid data. The other decompressor reports the error in
      // detail.
      return false;
    }
    if (!inflater.finished() || n != stated) {
      return false;
    }
    crc.reset();
    crc.update(to, 0, n);
    if (!GzipMember.trailerMatches(in, crc, n)) {
      return false;
    }
    target.put(to, 0, n);
    return true;
  }

  @Override
  void end() {
    inflater.end();
    if (other != null) {
      other.close();
    }
  }
}
