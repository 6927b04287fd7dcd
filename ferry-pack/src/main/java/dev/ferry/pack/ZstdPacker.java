package dev.ferry.pack;

import com.github.luben.zstd.ZstdCompressCtx;
import java.nio.ByteBuffer;

/**
 * One zstd frame for each message, with its length and a checksum.
 *
 * <p>The library takes two direct buffers or two arrays; what is neither is copied once.
 */
final class ZstdPacker extends BoundedPacker {
  private final ZstdCompressCtx context = new ZstdCompressCtx();
  private final Scratch plain = new Scratch();
  private final Scratch packed = new Scratch();

  ZstdPacker(int level) {
    super(PackCodec.ZSTD);
    context.setLevel(level).setChecksum(true);
  }

  @Override
  void write(ByteBuffer input, ByteBuffer target) {
    if (input.isDirect() && target.isDirect()) {
      context.compress(target, input);
      return;
    }
    ByteBuffer from = plain.arrayOf(input);
    if (target.hasArray()) {
      int n = compress(from, target);
      target.position(target.position() + n);
    } else {
      int room = target.remaining();
      byte[] to = packed.atLeast(room);
      target.put(to, 0, compress(from, ByteBuffer.wrap(to, 0, room)));
    }
  }

  private int compress(ByteBuffer from, ByteBuffer to) {
    return context.compressByteArray(
        to.array(),
        to.arrayOffset() + to.position(),
        to.remaining(),
        from.array(),
        from.arrayOffset() + from.position(),
        from.remaining());
  }

  @Override
  void end() {
    context.close();
  }
}
