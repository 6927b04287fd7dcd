package dev.ferry.grpc.internal.message;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A compressed outgoing message as grpc-java's framer reads it. It reports its decompressed length
 * and drains itself into a {@link PrecompressedCodec} in compressed form. If the target is another
 * stream, it decompresses itself: either the peer does not accept the encoding, or there is no
 * wire.
 */
final class PrecompressedStream extends InputStream implements KnownLength, Drainable {
  private final ChunkMessage.CompressedOutgoing message;
  private final ChunkCounters counters;
  private final MessageDecompressor decompressor;
  private @Nullable InputStream decompressing;
  private int read;

  PrecompressedStream(
      ChunkMessage.CompressedOutgoing message,
      ChunkCounters counters,
      MessageDecompressor decompressor) {
    this.decompressor = decompressor;
    this.message = message;
    this.counters = counters;
  }

  @Override
  public int available() {
    return message.compressed() == null ? 0 : message.decompressedLength() - read;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    if (decompressing == null && target instanceof PrecompressedCodec.Outlet outlet) {
      boolean handedOff = outlet.pass(owned());
      if (handedOff) {
        message.givenAway();
      }
      counters.sent(handedOff);
      return message.decompressedLength();
    }
    int n = (int) decompressing().transferTo(target);
    read += n;
    return n;
  }

  @Override
  public int read() throws IOException {
    int b = decompressing().read();
    read += b < 0 ? 0 : 1;
    return b;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int n = decompressing().read(target, offset, length);
    read += Math.max(n, 0);
    return n;
  }

  private InputStream decompressing() throws IOException {
    InputStream stream = decompressing;
    if (stream == null) {
      ByteBuf decompressed = decompressor.decompressBytes(owned().nioBuffer(), message.format());
      stream = new ByteBufInputStream(decompressed, true);
      decompressing = stream;
      counters.sent(false);
    }
    return stream;
  }

  private ByteBuf owned() {
    ByteBuf compressed = message.compressed();
    if (compressed == null) {
      throw new IllegalStateException("the buffer was given away already");
    }
    return compressed;
  }

  @Override
  public void close() throws IOException {
    try {
      if (decompressing != null) {
        decompressing.close();
      }
    } finally {
      message.release();
    }
  }
}
