package dev.ferry.compress;

import com.github.luben.zstd.ZstdCompressCtx;
import java.nio.ByteBuffer;

/**
 * Compresses each message to one zstd frame with its content size and a checksum.
 *
 * <p>The library needs either two direct buffers or two arrays. Other combinations are copied.
 */
final class ZstdCompressor extends BoundedCompressor {
  private final ZstdCompressCtx context = new ZstdCompressCtx();
  private final ReusedArray plain = new ReusedArray();
  private final ReusedArray compressed = new ReusedArray();

  ZstdCompressor(int level) {
    super(CompressionCodec.ZSTD);
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
      int n = compressArrays(from, target);
      target.position(target.position() + n);
    } else {
      int room = target.remaining();
      byte[] to = compressed.atLeast(room);
      target.put(to, 0, compressArrays(from, ByteBuffer.wrap(to, 0, room)));
    }
  }

  private int compressArrays(ByteBuffer from, ByteBuffer to) {
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
