package dev.ferry.grpc.internal.message;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads many small chunks with one system call into one buffer. The buffer has room for the prefix
 * and header of each chunk, so it holds complete messages that are handed off together. The cost
 * per message in grpc-java, in queues and in system calls is then paid once for all of them.
 */
final class BatchFeed implements ChunkFeed {
  /**
   * Payload bytes of one hand-off: small enough that the data is still in the CPU cache of the core
   * when it is sent.
   */
  private static final int BATCH_BYTES = 256 * 1024;

  /** Messages of one hand-off. A scattering read takes at most 1024 buffers (IOV_MAX). */
  private static final int BATCH_MESSAGES = 64;

  private static final int LENGTH_AT = 1;

  private final HandOffAllocator allocator;
  private final FileSource source;
  private final int chunkSize;
  private final int batchBytes;
  private final long end;
  private boolean ended;
  private long position;
  private long untraced;

  /**
   * Creates a feed of the chunks from a byte of the file to another.
   *
   * @param to the byte after the last; {@link FileFacts#UNKNOWN_SIZE} if the file says where it
   *     ends
   * @param batching whether a message may hold several chunks; if false, it holds one
   */
  BatchFeed(
      HandOffAllocator allocator,
      FileSource source,
      long from,
      long to,
      int chunkSize,
      boolean batching) {
    this.allocator = allocator;
    this.source = source;
    this.chunkSize = chunkSize;
    this.batchBytes = batching ? chunkSize * messagesAtOnce(chunkSize) : chunkSize;
    this.position = from;
    this.end = to;
    this.ended = from == to;
  }

  private static int messagesAtOnce(int chunkSize) {
    return Math.max(1, Math.min(BATCH_MESSAGES, BATCH_BYTES / chunkSize));
  }

  @Override
  public boolean ended() {
    return ended;
  }

  @Override
  public @Nullable ChunkMessage next() throws FerryException {
    int payload =
        end == FileFacts.UNKNOWN_SIZE
            ? source.available(position, batchBytes)
            : (int) Math.min(batchBytes, end - position);
    if (payload == 0) {
      ended = true;
      return null;
    }
    int whole = payload / chunkSize;
    int rest = payload % chunkSize;
    int bytes = whole * frameSize(chunkSize) + (rest == 0 ? 0 : frameSize(rest));
    int count = whole + (rest == 0 ? 0 : 1);
    ByteBuf frame = allocator.directBuffer(bytes, bytes);
    try {
      source.readFully(payloads(frame, payload, count), position);
    } catch (FerryException | RuntimeException | Error e) {
      frame.release();
      throw e;
    }
    position += payload;
    ended = position == end;
    int first = frameSize(Math.min(payload, chunkSize)) - HandOffAllocator.PREFIX;
    untraced += bytes - count * HandOffAllocator.PREFIX - first;
    return new OutgoingChunks(allocator, frame, first, count);
  }

  /** Writes the prefixes and headers, and returns views of the payload regions. */
  private ByteBuffer[] payloads(ByteBuf frame, int payload, int count) {
    ByteBuffer[] places = new ByteBuffer[count];
    ByteBuffer all = frame.internalNioBuffer(0, frame.capacity());
    int base = all.position();
    int at = 0;
    int left = payload;
    for (int i = 0; i < count; i++) {
      int length = Math.min(left, chunkSize);
      int header = WireFormat.headerSize(length);
      frame.setByte(at, 0);
      frame.setInt(at + LENGTH_AT, header + length);
      WireFormat.writeHeader(frame, at + HandOffAllocator.PREFIX, length);
      at += HandOffAllocator.PREFIX + header;
      places[i] = all.slice(base + at, length);
      at += length;
      left -= length;
    }
    return places;
  }

  private static int frameSize(int payload) {
    return HandOffAllocator.PREFIX + WireFormat.headerSize(payload) + payload;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public long untracedBytes() {
    return untraced;
  }

  @Override
  public void close() {}
}
