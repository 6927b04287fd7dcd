package dev.ferry.grpc.internal.message;

import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.grpc.internal.message.ChunkMessage.CompressedIncoming;
import dev.ferry.wire.internal.v1.FilePart;
import io.grpc.Codec;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a file's stream, {@code ferry.v1.FilePart}, without copies: a chunk is read from
 * the file into the buffer that the transport writes to the socket, and a received chunk is written
 * to the file from the buffers that the transport read into. Thread-safe.
 *
 * <p>If grpc-java does not allow this - with compression, the in-process transport, or small merged
 * buffers - the same call copies, and {@link HandOffCounters} counts the copy.
 */
public final class ChunkFormat {
  /**
   * A message that decompresses to at most this many bytes is decompressed immediately, because it
   * may be an end.
   */
  private static final int SMALL_BYTES = 512;

  private final HandOffAllocator allocator;
  private final CompressionWorkers workers;
  private final List<PrecompressedCodec> codecs;
  private final MessageDecompressor decompressor;

  /**
   * Creates the format for transports whose channels use the allocator and the {@link #codecs}.
   *
   * @param workers compress and decompress; the format closes them
   */
  ChunkFormat(HandOffAllocator allocator, CompressionWorkers workers) {
    this(allocator, workers, format -> true);
  }

  /**
   * As above.
   *
   * @param offered whether the transports offer and accept a compression
   */
  public ChunkFormat(
      HandOffAllocator allocator,
      CompressionWorkers workers,
      Predicate<Compression.Format> offered) {
    this.allocator = allocator;
    this.workers = workers;
    this.decompressor = new MessageDecompressor(allocator, workers);
    this.codecs =
        Stream.of(Compression.Format.values())
            .filter(offered)
            .map(f -> new PrecompressedCodec(f, allocator, workers, decompressor))
            .toList();
  }

  /** Returns the compressions of the transports of this format. */
  public List<? extends Codec> codecs() {
    return codecs;
  }

  /** Returns the counts of chunks that were handed off and copied. */
  public HandOffCounters counters() {
    return allocator.counters();
  }

  /**
   * Returns a marshaller of the messages.
   *
   * @param method the full method name, for failures
   */
  public ChunkMarshaller marshaller(String method) {
    return new ChunkMarshaller(method, allocator, codecs, decompressor);
  }

  /**
   * Creates a feed of the chunks of a file. Each message owns its buffer until it is sent or
   * {@linkplain ChunkMessage#release released}.
   *
   * @param source the file; the caller closes it
   * @param from the first byte to send
   * @param to the byte after the last
   * @param chunkSize payload bytes of every message except the last
   * @param batching whether several messages may be sent as one, invisible to interceptors and
   *     tracers
   */
  public ChunkFeed feed(FileSource source, long from, long to, int chunkSize, boolean batching) {
    return new BatchFeed(allocator, source, from, to, chunkSize, batching);
  }

  /**
   * Creates a feed of the chunks of a whole file for a stream with compression.
   *
   * @param batching as for {@link #feed}, of messages that are not compressed
   * @param onReady runs when a next message may be available, on any thread, possibly during this
   *     call
   */
  public ChunkFeed compressedFeed(
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
                : feed(source, from, to, chunkSize, batching));
  }

  /** Returns whether a message of a stream with compression is compressed. */
  public static boolean compressed(ChunkMessage message) {
    return !(message instanceof OutgoingChunks);
  }

  /**
   * Returns the facts or end of a received message; null if it carries a chunk.
   *
   * @param first whether the message is the first of its stream
   * @throws FerryException if the message is corrupt or could not be read
   */
  public @Nullable FilePart header(ChunkMessage message, boolean first) throws FerryException {
    if (message instanceof ChunkMessage.Header header) {
      return header.part();
    }
    if (message instanceof ChunkMessage.Unreadable unreadable) {
      throw unreadable.failure();
    }
    if (message instanceof CompressedIncoming compressed
        && (first || compressed.statedLength() <= SMALL_BYTES)) {
      return decompressedHeader(compressed);
    }
    return null;
  }

  private @Nullable FilePart decompressedHeader(CompressedIncoming compressed)
      throws FerryException {
    boolean kept = false;
    try {
      ChunkMessage decompressed = decompressor.decompress(compressed);
      if (decompressed instanceof ChunkMessage.Header header) {
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

  /** Creates a writer that writes the chunks of one stream to a file. */
  public GatheringWriter writer(FileSink sink, GatheringWriter.Arrivals arrivals) {
    return new GatheringWriter(
        sink,
        counters(),
        writer -> new OrderedDecompression(writer, decompressor, workers, arrivals));
  }

  /** Releases the resources that the format holds beyond messages. All streams must have ended. */
  public void close() {
    workers.close();
  }
}
