package dev.ferry.grpc.internal.message;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.grpc.internal.message.ChunkMessage.CompressedIncoming;
import dev.ferry.grpc.internal.message.ChunkMessage.Payload;
import dev.ferry.wire.internal.v1.FilePart;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gathers received chunks up to about {@value #GATHER_BYTES} bytes and writes them with one system
 * call. Writes below 64 KiB cost more than the network. Above 256 KiB nothing is gained, and the
 * bound limits how many transport buffers a stream retains.
 *
 * <p>From the first compressed message of a stream on, all messages pass through an {@link
 * OrderedDecompression}, which calls {@link #gather} in the order of their arrival. For one thread
 * at a time.
 */
public final class GatheringWriter implements AutoCloseable {
  private static final int GATHER_BYTES = 256 * 1024;

  /**
   * Minimum number of bytes to account for a chunk. Even an empty chunk may retain a whole read
   * buffer of the transport.
   */
  private static final int MIN_COST = 4 * 1024;

  /** Maximum number of buffers per write, below the limit of 1024 of writev(2) (IOV_MAX). */
  private static final int GATHER_BUFFERS = 512;

  private final FileSink sink;
  private final HandOffCounters counters;
  private final Function<GatheringWriter, OrderedDecompression> decompressing;
  private final List<Payload> held = new ArrayList<>();
  private final List<ByteBuffer> views = new ArrayList<>();
  private @Nullable OrderedDecompression decompression;
  private int heldCost;
  private long bytes;
  private ByteBuffer[] batch = new ByteBuffer[32];

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
  GatheringWriter(
      FileSink sink,
      HandOffCounters counters,
      Function<GatheringWriter, OrderedDecompression> decompressing) {
    this.sink = sink;
    this.counters = counters;
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
    if (!(message instanceof Payload payload)) {
      throw new IllegalArgumentException("no received chunk: " + message);
    }
    held.add(payload);
    payload.addViews(views);
    heldCost += Math.max(payload.length(), MIN_COST);
    bytes += payload.length();
    if (heldCost >= GATHER_BYTES || views.size() >= GATHER_BUFFERS) {
      writeGathered();
    }
  }

  private void writeGathered() throws FerryException {
    if (views.isEmpty()) {
      releaseGathered();
      return;
    }
    batch = views.toArray(batch);
    try {
      sink.write(batch, 0, views.size());
      counters.written(held);
    } finally {
      releaseGathered();
    }
  }

  private void releaseGathered() {
    views.clear();
    heldCost = 0;
    held.forEach(Payload::release);
    held.clear();
  }

  /** Returns the payload bytes processed so far. */
  public long bytes() {
    return bytes;
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
    writeGathered();
  }

  /** Releases unwritten chunks. May wait for a write in progress. */
  @Override
  public void close() {
    if (decompression != null) {
      decompression.close();
    }
    releaseGathered();
  }
}
