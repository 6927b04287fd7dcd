package dev.ferry.grpc.internal.message;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.grpc.internal.message.ChunkMessage.CompressedIncoming;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.zerocopy.GatheringWriter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes received chunks to a file, many with one system call.
 *
 * <p>From the first compressed message of a stream on, all messages pass through an {@link
 * OrderedDecompression}, which calls {@link #gather} in the order of their arrival. For one thread
 * at a time.
 */
public final class ChunkWriter implements AutoCloseable {
  private final GatheringWriter<FerryException> gathering;
  private final Function<ChunkWriter, OrderedDecompression> decompressing;
  private @Nullable OrderedDecompression decompression;

  /** Receives the results of chunks that are processed asynchronously, on any thread. */
  public interface Arrivals {
    /**
     * Reports that one more chunk was processed.
     *
     * @param bytes payload bytes processed so far
     * @throws FerryException to stop the writer
     */
    void taken(long bytes) throws FerryException;

    /**
     * Reports, in stream order, a message that turned out to be facts or an end instead of a chunk.
     *
     * @throws FerryException to stop the writer
     */
    void header(FilePart part) throws FerryException;

    /**
     * Reports that the file cannot be written. The writer must still be closed. Called at most
     * once.
     */
    void failed(FerryException failure);
  }

  /**
   * @param decompressing begins to decompress for this writer
   */
  ChunkWriter(FileSink sink, Function<ChunkWriter, OrderedDecompression> decompressing) {
    this.gathering = new GatheringWriter<>(sink::write);
    this.decompressing = decompressing;
  }

  /**
   * Takes ownership of a chunk, even if this method throws. Its bytes are in the file after {@link
   * #flush} at the latest.
   *
   * @return true if {@link #bytes} already includes the chunk; false if {@link Arrivals#taken} will
   *     report it
   */
  public boolean write(ChunkMessage message) throws FerryException {
    if (decompression == null && message instanceof CompressedIncoming) {
      decompression = decompressing.apply(this);
    }
    if (decompression != null) {
      return decompression.add(message);
    }
    gather(message);
    return true;
  }

  /** Takes ownership of a chunk that is not compressed. Called by one thread at a time. */
  void gather(ChunkMessage message) throws FerryException {
    if (!(message instanceof ChunkMessage.Plain plain)) {
      throw new IllegalArgumentException("no received chunk: " + message);
    }
    gathering.write(plain.message());
  }

  /** Returns the payload bytes processed so far. */
  public long bytes() {
    return gathering.bytes();
  }

  /** Returns whether {@link #flush} would wait for other threads. */
  public boolean busy() {
    return decompression != null && decompression.busy();
  }

  /** Writes all chunks that are not written yet. */
  public void flush() throws FerryException {
    if (decompression != null) {
      decompression.awaitWritten();
    }
    gathering.flush();
  }

  /** Releases unwritten chunks. May wait for a write in progress. */
  @Override
  public void close() {
    if (decompression != null) {
      decompression.close();
    }
    gathering.close();
  }
}
