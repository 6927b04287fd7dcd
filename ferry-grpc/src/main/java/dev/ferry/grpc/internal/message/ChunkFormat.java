package dev.ferry.grpc.internal.message;

import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.grpc.internal.message.ChunkMessage.CompressedIncoming;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.zerocopy.BytesField;
import io.grpc.Codec;
import io.netty.buffer.ByteBufAllocator;
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
 * buffers - the same call copies, and {@link ChunkCounters} count the copy.
 */
public final class ChunkFormat {
  /**
   * A message that decompresses to at most this many bytes is decompressed immediately, because it
   * may be an end.
   */
  private static final int SMALL_BYTES = 512;

  private final BytesField<FilePart> field;
  private final ChunkCounters counters;
  private final ByteBufAllocator pool;
  private final CompressionWorkers workers;
  private final List<PrecompressedCodec> codecs;
  private final MessageDecompressor decompressor;

  /**
   * Creates the format for transports that hand off buffers and use the {@link #codecs}.
   *
   * @param pool the pool of direct buffers
   * @param workers compress and decompress; the format closes them
   */
  ChunkFormat(ByteBufAllocator pool, CompressionWorkers workers) {
    this(pool, workers, format -> true);
  }

  /**
   * As above.
   *
   * @param offered whether the transports offer and accept a compression
   */
  public ChunkFormat(
      ByteBufAllocator pool, CompressionWorkers workers, Predicate<Compression.Format> offered) {
    this.field = BytesField.of(FilePart.getDefaultInstance(), FilePart.CHUNK_FIELD_NUMBER, pool);
    this.counters = new ChunkCounters(field.copies());
    this.pool = pool;
    this.workers = workers;
    this.decompressor = new MessageDecompressor(field, pool, workers);
    this.codecs =
        Stream.of(Compression.Format.values())
            .filter(offered)
            .map(f -> new PrecompressedCodec(f, workers, decompressor))
            .toList();
  }

  /** Returns the compressions of the transports of this format. */
  public List<? extends Codec> codecs() {
    return codecs;
  }

  /** Returns the counts of chunks that were handed off and copied. */
  public ChunkCounters counters() {
    return counters;
  }

  /**
   * Returns a marshaller of the messages.
   *
   * @param method the full method name, for failures
   */
  public ChunkMarshaller marshaller(String method) {
    return new ChunkMarshaller(method, field.marshaller(method), counters, codecs, decompressor);
  }

  /** Returns a message to send with facts or an end. */
  public ChunkMessage message(FilePart header) {
    return new ChunkMessage.Plain(field.message(header));
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
    return new BatchFeed(field, source, from, to, chunkSize, batching);
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
                    field, pool, workers, compression, source, from, to, chunkSize, onReady)
                : feed(source, from, to, chunkSize, batching));
  }

  /** Returns how many payload bytes of a stream with compression are compressed ahead at most. */
  public long compressedAhead(int chunkSize) {
    return CompressingFeed.bytesAhead(workers, chunkSize);
  }

  /** Returns whether a message of a stream with compression is compressed. */
  public static boolean compressed(ChunkMessage message) {
    return message instanceof ChunkMessage.CompressedOutgoing;
  }

  /**
   * Returns the facts or end of a received message; null if it carries a chunk.
   *
   * @param first whether the message is the first of its stream
   * @throws FerryException if the message is corrupt or could not be read
   */
  public @Nullable FilePart header(ChunkMessage message, boolean first) throws FerryException {
    if (message instanceof ChunkMessage.Plain plain) {
      return plain.header();
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
      ChunkMessage.Plain decompressed = decompressor.decompress(compressed);
      decompressed.release();
      FilePart header = decompressed.header();
      kept = header == null;
      return header;
    } finally {
      if (!kept) {
        compressed.release();
      }
    }
  }

  /** Creates a writer that writes the chunks of one stream to a file. */
  public ChunkWriter writer(FileSink sink, ChunkWriter.Arrivals arrivals) {
    return new ChunkWriter(
        sink,
        writer -> new OrderedDecompression(writer, decompressor, counters, workers, arrivals));
  }

  /** Releases the resources that the format holds beyond messages. All streams must have ended. */
  public void close() {
    workers.close();
  }
}
