package dev.ferry.pack;

import com.intel.gkl.compression.IntelInflater;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Inflates by Intel's GKL what is one sound member, and leaves the rest to another unpacker:
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
final class IntelGzipUnpacker implements Unpacker {
  /** A match of 258 bytes takes two bits at least. */
  private static final int MAX_EXPANSION = 1032;

  private final IntelInflater inflater = new IntelInflater(true);
  private final Scratch packed = new Scratch();
  private final Scratch plain = new Scratch();
  private final CRC32 crc = new CRC32();
  private final Supplier<Unpacker> others;
  private @Nullable Unpacker other;
  private boolean closed;

  /**
   * Creates the unpacker.
   *
   * @param others makes the one for the rest, when it is needed first; it is closed with this one
   */
  IntelGzipUnpacker(Supplier<Unpacker> others) {
    this.others = others;
  }

  @Override
  public int unpack(ByteBuffer input, ByteBuffer target)
      throws CorruptPackException, UnpackedTooLargeException {
    if (closed) {
      throw new IllegalStateException("the unpacker is closed");
    }
    ByteBuffer in = input.slice();
    GzipMember.skipHeader(in);
    Optional<byte[]> content = inflate(in, target.remaining());
    if (content.isEmpty()) {
      if (other == null) {
        other = others.get();
      }
      return other.unpack(input, target);
    }
    int length = (int) GzipMember.unpackedSize(input);
    target.put(content.get(), 0, length);
    input.position(input.limit());
    return length;
  }

  /**
   * Inflates what follows a header.
   *
   * @return an array that begins with the content, if it is one sound member
   */
  private Optional<byte[]> inflate(ByteBuffer in, int limit) throws CorruptPackException {
    int deflated = in.remaining() - GzipMember.TRAILER_BYTES;
    long stated = GzipMember.unpackedSize(in.duplicate().position(0));
    // It cannot cope with empty arrays. No array is made for a length that cannot be.
    if (deflated <= 0
        || stated == 0
        || stated > limit
        || stated > (long) deflated * MAX_EXPANSION) {
      return Optional.empty();
    }
    byte[] from = packed.atLeast(deflated);
    in.get(from, 0, deflated);
    byte[] to = plain.atLeast((int) stated);
    int n;
    try {
      inflater.reset();
      inflater.setInput(from, 0, deflated);
      n = inflater.inflate(to, 0, (int) stated);
    } catch (RuntimeException e) {
      // All it has to say of bad data; the other unpacker says it better.
      return Optional.empty();
    }
    if (!inflater.finished() || n != stated) {
      return Optional.empty();
    }
    crc.reset();
    crc.update(to, 0, n);
    return GzipMember.trailerMatches(in, crc, n) ? Optional.of(to) : Optional.empty();
  }

  @Override
  public void close() {
    closed = true;
    inflater.end();
    if (other != null) {
      other.close();
    }
  }
}
