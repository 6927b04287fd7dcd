package dev.ferry.grpc.internal.message;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.zerocopy.BytesField;
import org.jspecify.annotations.Nullable;

/**
 * Reads many small chunks with one system call into one buffer, which holds complete messages that
 * are handed off together. The cost per message in grpc-java, in queues and in system calls is then
 * paid once for all of them.
 */
final class BatchFeed implements ChunkFeed {
  private final BytesField<FilePart> field;
  private final FileSource source;
  private final BytesField.Source<FerryException> bytes;
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
      BytesField<FilePart> field,
      FileSource source,
      long from,
      long to,
      int chunkSize,
      boolean batching) {
    this.field = field;
    this.source = source;
    this.bytes = source::readFully;
    this.chunkSize = chunkSize;
    this.batchBytes = batching ? BytesField.batchSize(chunkSize) : chunkSize;
    this.position = from;
    this.end = to;
    this.ended = from == to;
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
    ChunkMessage message = new ChunkMessage.Plain(field.read(bytes, position, payload, chunkSize));
    position += payload;
    ended = position == end;
    int whole = payload / chunkSize;
    int rest = payload % chunkSize;
    untraced +=
        (long) whole * field.encodedLength(chunkSize)
            + (rest == 0 ? 0 : field.encodedLength(rest))
            - field.encodedLength(Math.min(payload, chunkSize));
    return message;
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
