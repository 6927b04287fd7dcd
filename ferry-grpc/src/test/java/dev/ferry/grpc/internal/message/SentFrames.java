package dev.ferry.grpc.internal.message;

import com.google.protobuf.ByteString;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.zerocopy.BytesField;
import dev.ferry.zerocopy.HandOffAllocator;
import io.grpc.Drainable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages as they were handed to a transport.
 *
 * @param bytes with their prefixes
 */
record SentFrames(byte[] bytes) {
  private static final HandOffAllocator ALLOCATOR =
      new HandOffAllocator(UnpooledByteBufAllocator.DEFAULT);

  static BytesField<FilePart> field(ByteBufAllocator pool) {
    return BytesField.of(FilePart.getDefaultInstance(), FilePart.CHUNK_FIELD_NUMBER, pool);
  }

  static SentFrames of(BytesField<FilePart> field, ChunkMessage message) throws IOException {
    return of(
        field.marshaller("ferry.v1.Files/Download").stream(
            ((ChunkMessage.Plain) message).message()));
  }

  /** Takes a message as grpc-java's framer does. */
  static SentFrames of(InputStream message) throws IOException {
    try (message) {
      int length = message.available();
      int size = HandOffAllocator.PREFIX + length;
      ByteBuf frame = ALLOCATOR.buffer(size, size);
      try {
        frame.writeByte(0).writeInt(length);
        ((Drainable) message).drainTo(new ByteBufOutputStream(frame));
        return new SentFrames(ByteBufUtil.getBytes(frame));
      } finally {
        frame.release();
      }
    }
  }

  /** Returns the length of each message without its prefix. */
  List<Integer> lengths() {
    List<Integer> lengths = new ArrayList<>();
    ByteBuffer frames = ByteBuffer.wrap(bytes);
    while (frames.hasRemaining()) {
      int length = frames.getInt(frames.position() + 1);
      lengths.add(length);
      frames.position(frames.position() + HandOffAllocator.PREFIX + length);
    }
    return lengths;
  }

  /** Returns the chunks of all messages. */
  ByteString chunks() throws IOException {
    ByteString chunks = ByteString.EMPTY;
    int at = 0;
    for (int length : lengths()) {
      at += HandOffAllocator.PREFIX;
      chunks = chunks.concat(FilePart.parseFrom(ByteBuffer.wrap(bytes, at, length)).getChunk());
      at += length;
    }
    return chunks;
  }
}
