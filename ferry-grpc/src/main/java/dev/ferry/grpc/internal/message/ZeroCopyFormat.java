package dev.ferry.grpc.internal.message;

import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import io.grpc.Codec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code ZeroCopy}: a chunk is read from the file into the buffer that the transport writes to the
 * socket. A received chunk is written to the file from the buffers that the transport read into.
 *
 * <p>If grpc-java does not allow this - with compression, the in-process transport, or small merged
 * buffers - the same call copies, and {@link HandOffCounters} counts the copy.
 */
public final class ZeroCopyFormat implements ChunkFormat<ZeroCopyMessage> {
  /**
   * A message that decompresses to at most this many bytes is decompressed immediately, because it
   * may be an end.
   */
  private static final int SMALL_BYTES = 512;

  private final HandOffAllocator allocator;
  private final HandOffCounters counters;
  private final CompressionWorkers workers;
  private final List<PrecompressedCodec> codecs;
  private final MessageDecompressor decompressor;
  private final RentedArrayFormat copying = new RentedArrayFormat();

  /**
   * Creates the format for transports whose channels use the allocator and the {@link #codecs}.
   *
   * @param workers compress and decompress; the format closes them
   */
  public ZeroCopyFormat(HandOffAllocator allocator, CompressionWorkers workers) {
    this.allocator = allocator;
    this.counters = allocator.counters();
    this.workers = workers;
    this.decompressor = new MessageDecompressor(allocator, workers);
    this.codecs =
        Stream.of(Compression.Format.values())
            .map(f -> new PrecompressedCodec(f, allocator, workers, decompressor))
            .toList();
  }

  /** Returns the compressions of the transports of this format. */
  public List<? extends Codec> codecs() {
    return codecs;
  }

  @Override
  public boolean compresses(Compression.Format compression) {
    return true;
  }

  @Override
  public ChunkMarshaller<ZeroCopyMessage> marshaller(String method) {
    return new Marshaller(method);
  }

  @Override
  public ZeroCopyMessage wrap(FilePart part) {
    return new ZeroCopyMessage.Header(part);
  }

  @Override
  public ChunkFeed<ZeroCopyMessage> feed(
      FileSource source, long from, long to, int chunkSize, boolean batching) {
    return new BatchFeed(allocator, source, from, to, chunkSize, batching);
  }

  @Override
  public ChunkFeed<ZeroCopyMessage> compressedFeed(
      FileSource source,
      int chunkSize,
      boolean batching,
      Compression compression,
      Runnable onReady) {
    return new AdaptiveFeed(
        source,
        chunkSize,
        (from, to, compressed) ->
            compressed
                ? new CompressingFeed(
                    allocator, workers, compression, source, from, to, chunkSize, onReady)
                : new BatchFeed(allocator, source, from, to, chunkSize, batching));
  }

  @Override
  public boolean compressed(ZeroCopyMessage message) {
    return !(message instanceof OutgoingChunks);
  }

  @Override
  public @Nullable FilePart header(ZeroCopyMessage message, boolean first) throws FerryException {
    if (message instanceof ZeroCopyMessage.Header header) {
      return header.part();
    }
    if (message instanceof ZeroCopyMessage.Unreadable unreadable) {
      throw unreadable.failure();
    }
    if (message instanceof ZeroCopyMessage.CompressedIncoming compressed
        && (first || compressed.statedLength() <= SMALL_BYTES)) {
      return decompressedHeader(compressed);
    }
    return null;
  }

  private @Nullable FilePart decompressedHeader(ZeroCopyMessage.CompressedIncoming compressed)
      throws FerryException {
    boolean kept = false;
    try {
      ZeroCopyMessage decompressed = decompressor.decompress(compressed);
      if (decompressed instanceof ZeroCopyMessage.Header header) {
        return header.part();
      }
      decompressed.release();
      kept = true;
      return null;
    } finally {
      if (!kept) {
        compressed.release();
      }
    }
  }

  @Override
  public void release(ZeroCopyMessage message) {
    message.release();
  }

  @Override
  public ChunkWriter<ZeroCopyMessage> writer(FileSink sink, Arrivals arrivals) {
    return new GatheringWriter(
        sink,
        copying,
        counters,
        arrivals,
        writer -> new OrderedDecompression(writer, decompressor, workers, arrivals));
  }

  @Override
  public void close() {
    workers.close();
  }

  private final class Marshaller implements ChunkMarshaller<ZeroCopyMessage> {
    private final String method;

    Marshaller(String method) {
      this.method = method;
    }

    @Override
    public InputStream stream(ZeroCopyMessage message) {
      if (message instanceof OutgoingChunks chunks) {
        return chunks;
      }
      if (message instanceof ZeroCopyMessage.CompressedOutgoing compressed) {
        return new PrecompressedStream(compressed, counters, decompressor);
      }
      if (message instanceof ZeroCopyMessage.Header header) {
        return new ByteArrayInputStream(header.part().toByteArray());
      }
      throw new IllegalArgumentException("a received message cannot be sent on");
    }

    @Override
    public ZeroCopyMessage parse(InputStream stream) {
      try {
        ZeroCopyMessage received = DetachedMessage.chunk(stream);
        if (received == null) {
          received = compressed(stream);
        }
        return received != null
            ? received
            : copied(copying.read(stream, WireFormat.readHeader(stream)));
      } catch (IOException | RuntimeException e) {
        return new ZeroCopyMessage.Unreadable(ChunkMarshaller.failure(method, e));
      }
    }

    /**
     * Returns the message in compressed form; null if it is not compressed or cannot be detached.
     */
    private ZeroCopyMessage.@Nullable CompressedIncoming compressed(InputStream stream)
        throws IOException {
      codecs.forEach(PrecompressedCodec::forget);
      // grpc-java's wrapper forwards this call to the codec's stream, which then registers itself.
      int ignored = stream.available();
      for (PrecompressedCodec codec : codecs) {
        ZeroCopyMessage.CompressedIncoming taken = codec.takeOffered();
        if (taken != null) {
          return taken;
        }
      }
      return null;
    }

    private ZeroCopyMessage copied(RentedArrayFormat.Message message) throws IOException {
      FilePart header = copying.header(message, false);
      if (header != null) {
        return new ZeroCopyMessage.Header(header);
      }
      counters.copiedIn();
      return new ZeroCopyMessage.Copied(message, copying);
    }
  }
}
