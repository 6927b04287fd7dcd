package dev.ferry.grpc.internal.message;

import dev.ferry.compress.CompressorPool;
import dev.ferry.compress.ParallelCompressor;
import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.grpc.internal.message.ChunkMessage.CompressedOutgoing;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.zerocopy.BytesField;
import dev.ferry.zerocopy.HandOffAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads and compresses chunks ahead on worker threads and returns them in order. Each chunk is a
 * message that is compressed independently, so all cores can work on one file. Thread-safe.
 */
final class CompressingFeed implements ChunkFeed {
  /**
   * Payload bytes of one task: large enough that the cost of the thread hand-over is negligible.
   */
  private static final int WORK_BYTES = 64 * 1024;

  /**
   * Maximum number of messages of one task. It bounds the number of buffers if a peer requests
   * chunks of one byte.
   */
  private static final int WORK_MESSAGES = 64;

  private static final int MAX_AHEAD = 16;

  /** Payload bytes that are compressed ahead, unless that is too little for all threads. */
  private static final int BYTES_AHEAD = 2 * 1024 * 1024;

  private final BytesField<FilePart> field;
  private final ByteBufAllocator pool;
  private final CompressionWorkers workers;
  private final Compression compression;
  private final FileSource source;
  private final int chunkSize;
  private final long from;
  private final long to;
  private final ParallelCompressor<Queue<CompressedOutgoing>, FerryException> compressor;

  /** The messages of the task that are sent now. */
  private Queue<CompressedOutgoing> current = new ArrayDeque<>(0);

  private long position;

  /**
   * Creates a feed of the chunks from a byte of the file to another.
   *
   * @param to the byte after the last
   * @param onReady runs on a worker when {@link #next} may return a message
   */
  CompressingFeed(
      BytesField<FilePart> field,
      ByteBufAllocator pool,
      CompressionWorkers workers,
      Compression compression,
      FileSource source,
      long from,
      long to,
      int chunkSize,
      Runnable onReady) {
    this.field = field;
    this.pool = pool;
    this.workers = workers;
    this.compression = compression;
    this.source = source;
    this.chunkSize = chunkSize;
    this.from = from;
    this.to = to;
    this.position = from;
    int workBytes = workBytes(chunkSize);
    this.compressor =
        new ParallelCompressor<>(
            workers,
            to - from,
            workBytes,
            tasksAhead(workers, workBytes),
            this::compress,
            CompressingFeed::release,
            onReady);
  }

  private static int workBytes(int chunkSize) {
    return chunkSize * Math.max(1, Math.min(WORK_MESSAGES, WORK_BYTES / chunkSize));
  }

  /** All threads have work while a result waits to be sent. */
  private static int tasksAhead(CompressionWorkers workers, int workBytes) {
    return Math.max(workers.threads() + 1, Math.min(MAX_AHEAD, BYTES_AHEAD / workBytes));
  }

  /** Returns how many payload bytes of a stream are compressed ahead at most. */
  static long bytesAhead(CompressionWorkers workers, int chunkSize) {
    int workBytes = workBytes(chunkSize);
    return (long) workBytes * tasksAhead(workers, workBytes);
  }

  private static void release(Queue<CompressedOutgoing> messages) {
    messages.forEach(CompressedOutgoing::release);
    messages.clear();
  }

  @Override
  public synchronized boolean ended() {
    return position >= to;
  }

  @Override
  public synchronized @Nullable ChunkMessage next() throws FerryException {
    if (current.isEmpty()) {
      Queue<CompressedOutgoing> compressed = compressor.next();
      if (compressed == null) {
        return null;
      }
      current = compressed;
    }
    CompressedOutgoing message = current.remove();
    position += message.chunkLength();
    return message;
  }

  private Queue<CompressedOutgoing> compress(long start, int length) throws FerryException {
    CompressorPool codecs = workers.codecs(compression);
    Queue<CompressedOutgoing> messages = new ArrayDeque<>();
    ByteBuf plain = field.frames(source::readFully, from + start, length, chunkSize);
    boolean done = false;
    try {
      int at = 0;
      for (int left = length; left > 0; left -= chunkSize) {
        int message = plain.getInt(at + 1);
        at += HandOffAllocator.PREFIX;
        messages.add(
            compress(codecs, plain.internalNioBuffer(at, message), Math.min(chunkSize, left)));
        at += message;
      }
      done = true;
      return messages;
    } finally {
      plain.release();
      if (!done) {
        release(messages);
      }
    }
  }

  private CompressedOutgoing compress(CompressorPool codecs, ByteBuffer plain, int chunkLength) {
    int length = plain.remaining();
    int bound = codecs.bound(length);
    ByteBuf compressed = pool.directBuffer(bound, bound);
    try {
      int n = codecs.compress(plain, compressed.internalNioBuffer(0, bound));
      compressed.writerIndex(n);
      if (n < bound / 2) {
        // The transport counts the bytes of what waits, not the memory behind them.
        ByteBuf smaller = pool.directBuffer(n, n).writeBytes(compressed);
        compressed.release();
        compressed = smaller;
      }
      return new CompressedOutgoing(compressed, compression.format(), length, chunkLength);
    } catch (RuntimeException | Error e) {
      compressed.release();
      throw e;
    }
  }

  @Override
  public synchronized long position() {
    return position;
  }

  @Override
  public long untracedBytes() {
    return 0;
  }

  @Override
  public synchronized void close() {
    compressor.close();
    release(current);
  }
}
