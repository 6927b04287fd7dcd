package dev.ferry.compress;

import com.intel.gkl.compression.IntelInflater;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Inflates by Intel's GKL what is one sound member, and leaves the rest to another decompressor:
 * several members, what does not fit, and whatever is damaged. So there is one voice for errors.
 *
 * <p>{@link IntelInflater} tells nothing but the bytes it wrote and, as {@code finished()}, whether
 * it read its input up; it reads up to eight bytes ahead. What is taken as sound here has read its
 * input up, has the length and the CRC-32 of the trailer at the end of the input, and so has the
 * right bytes. A last symbol that is cut off, or up to eight stray bytes before the trailer, go
 * unnoticed.
 *
 * <p>Its superclass holds a zlib stream of the JDK's that is never used and goes with the garbage.
 */
final class IntelGzipDecompressor extends BoundedDecompressor {
  /** A match of 258 bytes takes two bits at least. */
  private static final int MAX_EXPANSION = 1032;

  private final IntelInflater inflater = new IntelInflater(true);
  private final Scratch compressed = new Scratch();
  private final Scratch plain = new Scratch();
  private final CRC32 crc = new CRC32();
  private final Supplier<Decompressor> others;
  private @Nullable Decompressor other;

  /**
   * Creates the decompressor.
   *
   * @param others makes the one for the rest, when it is needed first; it is closed with this one
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
   * Inflates what follows a header.
   *
   * @return whether it was one sound member; if not, the target is as it was
   */
  private boolean inflate(ByteBuffer in, ByteBuffer target) throws CorruptDataException {
    int deflated = in.remaining() - GzipMember.TRAILER_BYTES;
    long stated = GzipMember.decompressedSize(in.duplicate().position(0));
    // It cannot cope with empty arrays. No array is made for a length that cannot be.
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
      // All it has to say of bad data; the other decompressor says it better.
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
