package dev.ferry.grpc.internal.message;

import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Has workers read and compress chunks ahead, each chunk a message of its own, and gives them out
 * in order. Every message of a stream is compressed independently, so that all cores can work on
 * one file. Thread-safe.
 */
final class CompressingFeed implements ChunkFeed<ZeroCopyMessage> {
  /** Payload bytes of one piece of work: enough that handing it over costs nothing beside it. */
  private static final int WORK_BYTES = 64 * 1024;

  /**
   * Messages of one piece of work at most: a peer that asks for chunks of a byte must not make us
   * hold a million buffers.
   */
  private static final int WORK_MESSAGES = 64;

  /** Payload bytes that are compressed ahead, which bounds the memory of a stream. */
  private static final int BYTES_AHEAD = 2 * 1024 * 1024;

  private static final int MAX_AHEAD = 16;

  private final ByteBufAllocator allocator;
  private final CompressionWorkers workers;
  private final Compression compression;
  private final FileSource source;
  private final int chunkSize;
  private final Runnable onReady;
  private final int workBytes;
  private final int ahead;
  private final long size;
  private final Deque<CompressionWork> works = new ArrayDeque<>();
  private long scheduled;
  private long position;
  private boolean closed;

  /**
   * Creates a feed.
   *
   * @param onReady runs on a worker when {@link #next} may have become possible
   */
  CompressingFeed(
      ByteBufAllocator allocator,
      CompressionWorkers workers,
      Compression compression,
      FileSource source,
      int chunkSize,
      Runnable onReady) {
    this.allocator = allocator;
    this.workers = workers;
    this.compression = compression;
    this.source = source;
    this.chunkSize = chunkSize;
    this.onReady = onReady;
    this.workBytes = chunkSize * Math.max(1, Math.min(WORK_MESSAGES, WORK_BYTES / chunkSize));
    this.ahead = Math.max(workers.threads() + 1, Math.min(MAX_AHEAD, BYTES_AHEAD / workBytes));
    this.size = source.facts().size();
  }

  @Override
  public synchronized boolean ended() {
    return position >= size;
  }

  @Override
  public synchronized @Nullable ZeroCopyMessage next() throws FerryException {
    if (closed) {
      return null;
    }
    while (scheduled < size && works.size() < ahead) {
      int length = (int) Math.min(workBytes, size - scheduled);
      CompressionWork work =
          new CompressionWork(
              allocator,
              workers.codecs(compression),
              compression.format(),
              source,
              scheduled,
              length,
              chunkSize,
              onReady);
      workers.execute(work);
      works.add(work);
      scheduled += length;
    }
    CompressionWork first = works.peek();
    ZeroCopyMessage.CompressedOutgoing message = first == null ? null : first.poll();
    if (first == null || message == null) {
      return null;
    }
    position += first.payloadOf(message);
    if (first.isEmpty()) {
      works.remove();
    }
    return message;
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
    closed = true;
    works.forEach(CompressionWork::abandon);
    works.clear();
  }
}
