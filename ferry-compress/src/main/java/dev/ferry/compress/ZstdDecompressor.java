package dev.ferry.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;

/**
 * Decompresses zstd frames directly into the target. The target is also the window, so a frame
 * cannot make the library allocate memory for one.
 *
 * <p>Verifies the checksum and the content size if a frame has them. In the format, both are
 * optional.
 */
final class ZstdDecompressor extends BoundedDecompressor {
  private final ZstdDecompressCtx context = new ZstdDecompressCtx();
  private final ReusedArray compressed = new ReusedArray();

  @Override
  void read(ByteBuffer input, ByteBuffer target)
      throws CorruptDataException, DecompressedTooLargeException {
    int limit = target.remaining();
    ByteBuffer in = input.isDirect() ? input : compressed.arrayOf(input);
    try {
      do {
        frame(in, target, limit);
      } while (in.hasRemaining());
    } catch (ZstdException e) {
      if (e.getErrorCode() == Zstd.errDstSizeTooSmall()) {
        throw new DecompressedTooLargeException(limit);
      }
      throw new CorruptDataException("corrupt zstd: " + e.getMessage(), e);
    }
  }

  private void frame(ByteBuffer in, ByteBuffer out, int limit)
      throws CorruptDataException, DecompressedTooLargeException {
    ZstdFrame.checkMagic(in);
    int length = frameLength(in);
    ByteBuffer frame = in.duplicate().limit(in.position() + length);
    // Check first: no work is wasted, and the error is the same whichever frame does not fit.
    if (ZstdFrame.decompressedSize(frame).orElse(0) > out.remaining()) {
      throw new DecompressedTooLargeException(limit);
    }
    decompressFrame(frame, out);
    in.position(frame.limit());
  }

  private static int frameLength(ByteBuffer in) throws CorruptDataException {
    long length =
        in.isDirect()
            ? Zstd.findDirectByteBufferFrameCompressedSize(in, in.position(), in.remaining())
            : Zstd.findFrameCompressedSize(
                in.array(), in.arrayOffset() + in.position(), in.remaining());
    if (Zstd.isError(length)) {
      throw ZstdFrame.corrupt(Zstd.getErrorName(length));
    }
    return (int) length;
  }

  private void decompressFrame(ByteBuffer frame, ByteBuffer out) {
    int from = frame.position();
    int length = frame.remaining();
    int to = out.position();
    int room = out.remaining();
    int n;
    if (frame.isDirect()) {
      n =
          out.isDirect()
              ? context.decompressDirectByteBuffer(out, to, room, frame, from, length)
              : context.decompressDirectByteBufferToByteArray(
                  out.array(), out.arrayOffset() + to, room, frame, from, length);
    } else {
      byte[] bytes = frame.array();
      int offset = frame.arrayOffset() + from;
      n =
          out.isDirect()
              ? context.decompressByteArrayToDirectByteBuffer(out, to, room, bytes, offset, length)
              : context.decompressByteArray(
                  out.array(), out.arrayOffset() + to, room, bytes, offset, length);
    }
    out.position(to + n);
  }

  @Override
  void end() {
    context.close();
  }
}
