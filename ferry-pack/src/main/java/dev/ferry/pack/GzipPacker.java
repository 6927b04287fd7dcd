package dev.ferry.pack;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Frames a gzip member around what a codec deflates. */
abstract sealed class GzipPacker implements Packer
    permits StoredGzipPacker, JdkGzipPacker, IntelGzipPacker {
  private final int level;
  private final CRC32 crc = new CRC32();
  private boolean closed;

  GzipPacker(int level) {
    this.level = level;
  }

  @Override
  public final int bound(int length) {
    return GzipMember.bound(length);
  }

  @Override
  public final int pack(ByteBuffer input, ByteBuffer target) {
    if (closed) {
      throw new IllegalStateException("the packer is closed");
    }
    int length = input.remaining();
    int bound = bound(length);
    if (target.remaining() < bound) {
      throw new IllegalArgumentException(
          "the target has room for "
              + target.remaining()
              + " bytes, "
              + length
              + " bytes can take "
              + bound);
    }
    ByteBuffer out = target.duplicate();
    int end = out.position() + bound;
    GzipMember.putHeader(out, level);
    int body = out.position();
    out.limit(end - GzipMember.TRAILER_BYTES);
    if (length == 0 || !deflate(input.duplicate(), out)) {
      StoredBlocks.put(input.duplicate(), out.position(body));
    }
    crc.reset();
    crc.update(input.duplicate());
    GzipMember.putTrailer(out.limit(end), crc, length);

    int packed = out.position() - target.position();
    input.position(input.limit());
    target.position(out.position());
    return packed;
  }

  /**
   * Deflates all of the input, which is not empty, and keeps neither buffer.
   *
   * @param target has room for the {@linkplain StoredBlocks#size stored} input, and not a byte more
   * @return whether it fitted; if not, what was written does not count
   */
  abstract boolean deflate(ByteBuffer input, ByteBuffer target);

  @Override
  public final void close() {
    if (!closed) {
      closed = true;
      end();
    }
  }

  /** Gives native memory back; called once. */
  abstract void end();
}
