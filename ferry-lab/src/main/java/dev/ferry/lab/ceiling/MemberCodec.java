package dev.ferry.lab.ceiling;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Packs and unpacks gzip members of up to 64 KiB with {@code java.util.zip} at level 1, in buffers
 * of its own. Used by one thread; closing releases the native codecs.
 */
final class MemberCodec implements AutoCloseable {
  /** Most bytes of a member, unpacked. */
  static final int PIECE_BYTES = 64 * 1024;

  /** RFC 1952: magic, deflate, no flags, no time, fastest, unknown system. */
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 4, (byte) 0xff};

  private static final int TRAILER_BYTES = 8;

  /** What cannot be packed grows by a few bytes for every block; this is more than enough. */
  private static final int SPARE_BYTES = 1024;

  private static final long INT_MASK = 0xffff_ffffL;

  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final ByteBuffer packed =
      ByteBuffer.allocateDirect(PIECE_BYTES + SPARE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer unpacked = ByteBuffer.allocateDirect(PIECE_BYTES);

  /** Packs a piece as one member; the answer is good until the next call. */
  ByteBuffer pack(ByteBuffer piece) {
    int length = piece.remaining();
    crc.reset();
    crc.update(piece.duplicate());
    deflater.reset();
    deflater.setInput(piece);
    deflater.finish();
    packed.clear().put(HEADER);
    deflater.deflate(packed);
    if (!deflater.finished()) {
      throw new IllegalStateException("a piece of " + length + " bytes outgrew its buffer");
    }
    return packed.putInt((int) crc.getValue()).putInt(length).flip();
  }

  /**
   * Unpacks one member and checks its trailer; the answer is good until the next call.
   *
   * @throws IOException where the member is broken or longer than a piece
   */
  ByteBuffer unpack(ByteBuffer member) throws IOException {
    ByteBuffer trailer = member.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    trailer.position(member.limit() - TRAILER_BYTES);
    member.position(member.position() + HEADER.length);
    inflater.reset();
    inflater.setInput(member);
    unpacked.clear();
    try {
      inflater.inflate(unpacked);
    } catch (DataFormatException e) {
      throw new IOException("a member does not unpack: " + e.getMessage(), e);
    }
    unpacked.flip();
    crc.reset();
    crc.update(unpacked.duplicate());
    if (!inflater.finished()
        || member.remaining() != TRAILER_BYTES
        || crc.getValue() != (trailer.getInt() & INT_MASK)
        || unpacked.remaining() != trailer.getInt()) {
      throw new IOException("a member does not unpack to what was packed");
    }
    return unpacked;
  }

  @Override
  public void close() {
    deflater.end();
    inflater.end();
  }
}
