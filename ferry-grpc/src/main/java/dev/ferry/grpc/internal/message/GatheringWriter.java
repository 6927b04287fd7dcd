package dev.ferry.grpc.internal.message;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.grpc.internal.message.ZeroCopyMessage.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Gathers received chunks up to about {@value #GATHER_BYTES} bytes and writes them with one system
 * call. Writes below 64 KiB cost more than the network. Above 256 KiB nothing is gained, and the
 * bound limits how many transport buffers a stream retains.
 */
final class GatheringWriter implements ChunkCodec.ChunkWriter<ZeroCopyMessage> {
  private static final int GATHER_BYTES = 256 * 1024;

  /**
   * Minimum number of bytes to account for a chunk. Even an empty chunk may retain a whole read
   * buffer of the transport.
   */
  private static final int MIN_COST = 4 * 1024;

  /** Maximum number of buffers per write, below the limit of 1024 of writev(2) (IOV_MAX). */
  private static final int GATHER_BUFFERS = 512;

  private final FileSink sink;
  private final RentedArrayCodec copying;
  private final HandOffCounters counters;
  private final ChunkCodec.Arrivals arrivals;
  private final List<Payload> held = new ArrayList<>();
  private final List<ByteBuffer> views = new ArrayList<>();
  private int heldCost;
  private long bytes;
  private ByteBuffer[] batch = new ByteBuffer[32];

  GatheringWriter(
      FileSink sink,
      RentedArrayCodec copying,
      HandOffCounters counters,
      ChunkCodec.Arrivals arrivals) {
    this.sink = sink;
    this.copying = copying;
    this.counters = counters;
    this.arrivals = arrivals;
  }

  @Override
  public boolean write(ZeroCopyMessage message) throws FerryException {
    if (message instanceof Payload payload) {
      write(payload);
    } else if (message instanceof ZeroCopyMessage.Copied copied) {
      flush();
      try (var writer = copying.writer(sink, arrivals)) {
        writer.write(copied.message());
        bytes += writer.bytes();
      }
    } else {
      throw new IllegalArgumentException("no received chunk: " + message);
    }
    return true;
  }

  /** Takes ownership of a payload. */
  void write(Payload payload) throws FerryException {
    held.add(payload);
    payload.addViews(views);
    heldCost += Math.max(payload.length(), MIN_COST);
    bytes += payload.length();
    if (heldCost >= GATHER_BYTES || views.size() >= GATHER_BUFFERS) {
      flush();
    }
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void flush() throws FerryException {
    if (views.isEmpty()) {
      close();
      return;
    }
    batch = views.toArray(batch);
    try {
      sink.write(batch, 0, views.size());
      counters.written(held);
    } finally {
      close();
    }
  }

  @Override
  public void close() {
    views.clear();
    heldCost = 0;
    held.forEach(Payload::release);
    held.clear();
  }
}
