package dev.ferry.grpc.internal.message;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.grpc.internal.message.ZeroCopyMessage.CompressedIncoming;
import dev.ferry.grpc.internal.message.ZeroCopyMessage.Payload;
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
 * OrderedDecompression}, which calls {@link #gather} in the order of their arrival.
 */
final class GatheringWriter implements ChunkFormat.ChunkWriter<ZeroCopyMessage> {
  private static final int GATHER_BYTES = 256 * 1024;

  /**
   * Minimum number of bytes to account for a chunk. Even an empty chunk may retain a whole read
   * buffer of the transport.
   */
  private static final int MIN_COST = 4 * 1024;

  /** Maximum number of buffers per write, below the limit of 1024 of writev(2) (IOV_MAX). */
  private static final int GATHER_BUFFERS = 512;

  private final FileSink sink;
  private final RentedArrayFormat copying;
  private final HandOffCounters counters;
  private final ChunkFormat.Arrivals arrivals;
  private final Function<GatheringWriter, OrderedDecompression> decompressing;
  private final List<Payload> held = new ArrayList<>();
  private final List<ByteBuffer> views = new ArrayList<>();
  private @Nullable OrderedDecompression decompression;
  private int heldCost;
  private long bytes;
  private ByteBuffer[] batch = new ByteBuffer[32];

  /**
   * @param decompressing begins to decompress for this writer
   */
  GatheringWriter(
      FileSink sink,
      RentedArrayFormat copying,
      HandOffCounters counters,
      ChunkFormat.Arrivals arrivals,
      Function<GatheringWriter, OrderedDecompression> decompressing) {
    this.sink = sink;
    this.copying = copying;
    this.counters = counters;
    this.arrivals = arrivals;
    this.decompressing = decompressing;
  }

  @Override
  public boolean write(ZeroCopyMessage message) throws FerryException {
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
  void gather(ZeroCopyMessage message) throws FerryException {
    if (message instanceof Payload payload) {
      gather(payload);
    } else if (message instanceof ZeroCopyMessage.Copied copied) {
      write(copied);
    } else {
      throw new IllegalArgumentException("no received chunk: " + message);
    }
  }

  private void write(ZeroCopyMessage.Copied copied) throws FerryException {
    try {
      writeGathered();
    } catch (FerryException | RuntimeException e) {
      copied.release();
      throw e;
    }
    try (var writer = copying.writer(sink, arrivals)) {
      writer.write(copied.message());
      bytes += writer.bytes();
    }
  }

  private void gather(Payload payload) throws FerryException {
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

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public boolean busy() {
    return decompression != null && decompression.busy();
  }

  @Override
  public void flush() throws FerryException {
    if (decompression != null) {
      decompression.awaitWritten();
    }
    writeGathered();
  }

  @Override
  public void close() {
    if (decompression != null) {
      decompression.close();
    }
    releaseGathered();
  }
}
