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
 * A message in pieces, which grpc-java's framer may ask for as a whole. For one thread at a time.
 */
final class EncodedMessage extends ByteBufInputStream implements KnownLength, Drainable {
  private final ByteBuf message;

  /** Takes over the pieces. */
  EncodedMessage(List<byte[]> pieces) {
    this(Unpooled.wrappedBuffer(pieces.toArray(new byte[0][])));
  }

  /** Arrays need not be released. */
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
