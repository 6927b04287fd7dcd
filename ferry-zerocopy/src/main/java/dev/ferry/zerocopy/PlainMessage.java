package dev.ferry.zerocopy;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;

/** A message that generated code has read or will write, without bytes beside it. */
record PlainMessage<M extends MessageLite>(M message) implements BytesMessage<M> {
  @Override
  public M rest() {
    return message;
  }

  @Override
  public boolean hasBytes() {
    return false;
  }

  @Override
  public int length() {
    return 0;
  }

  @Override
  public List<ByteBuffer> buffers() {
    return List.of();
  }

  @Override
  public ByteBuf toByteBuf() {
    return Unpooled.EMPTY_BUFFER;
  }

  @Override
  public void close() {}
}
