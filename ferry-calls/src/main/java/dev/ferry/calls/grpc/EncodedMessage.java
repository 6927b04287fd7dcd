package dev.ferry.calls.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * A serialized message in several arrays, which grpc-java's framer can drain as a whole. Not
 * thread-safe.
 */
final class EncodedMessage extends ByteBufInputStream implements KnownLength, Drainable {
  private final ByteBuf message;

  /** Takes ownership of the arrays. */
  EncodedMessage(List<byte[]> arrays) {
    this(Unpooled.wrappedBuffer(arrays.toArray(new byte[0][])));
  }

  /** A wrapper of arrays need not be released. */
  private EncodedMessage(ByteBuf message) {
    super(message);
    this.message = message;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    int n = message.readableBytes();
    message.readBytes(target, n);
    return n;
  }
}
