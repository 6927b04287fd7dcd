package dev.ferry.grpc.message;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A packed outgoing message, as grpc's framer sees it: it says how long it is unpacked, and drains
 * itself into our codec as it is. Into anything else - the peer does not take the encoding, or
 * there is no wire at all - it is unpacked.
 */
final class PackedStream extends InputStream implements KnownLength, Drainable {
  private final ZeroCopyMessage.PackedOutgoing message;
  private final HandOffCounters counters;
  private final MessageUnpacker unpacker;
  private @Nullable InputStream unpacking;
  private int read;

  PackedStream(
      ZeroCopyMessage.PackedOutgoing message, HandOffCounters counters, MessageUnpacker unpacker) {
    this.unpacker = unpacker;
    this.message = message;
    this.counters = counters;
  }

  @Override
  public int available() {
    return message.packed() == null ? 0 : message.unpackedLength() - read;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    if (unpacking == null && target instanceof PackedCodec.Outlet outlet) {
      if (outlet.pass(owned())) {
        message.givenAway();
        counters.handedOff(1);
      } else {
        counters.copiedOut();
      }
      return message.unpackedLength();
    }
    int n = (int) unpacking().transferTo(target);
    read += n;
    return n;
  }

  @Override
  public int read() throws IOException {
    int b = unpacking().read();
    read += b < 0 ? 0 : 1;
    return b;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int n = unpacking().read(target, offset, length);
    read += Math.max(n, 0);
    return n;
  }

  private InputStream unpacking() throws IOException {
    InputStream stream = unpacking;
    if (stream == null) {
      ByteBuf unpacked = unpacker.unpackBytes(owned().nioBuffer(), message.format());
      stream = new ByteBufInputStream(unpacked, true);
      unpacking = stream;
      counters.copiedOut();
    }
    return stream;
  }

  private ByteBuf owned() {
    ByteBuf packed = message.packed();
    if (packed == null) {
      throw new IllegalStateException("the buffer was given away already");
    }
    return packed;
  }

  @Override
  public void close() throws IOException {
    try {
      if (unpacking != null) {
        unpacking.close();
      }
    } finally {
      message.release();
    }
  }
}
