package dev.ferry.grpc.internal.message;

import dev.ferry.compress.CompressorPool;
import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A few chunks that one worker reads and compresses. Thread-safe. */
final class CompressionWork implements Runnable {
  private final ByteBufAllocator allocator;
  private final CompressorPool codecs;
  private final Compression.Format format;
  private final FileSource source;
  private final long position;
  private final int length;
  private final int chunkSize;
  private final Runnable onDone;
  private final Deque<ZeroCopyMessage.CompressedOutgoing> compressed = new ArrayDeque<>();
  private @Nullable Throwable failure;
  private boolean done;
  private boolean abandoned;

  /**
   * Creates the work.
   *
   * @param length payload bytes of all chunks
   * @param onDone runs, on the worker, when the chunks can be had
   */
  CompressionWork(
      ByteBufAllocator allocator,
      CompressorPool codecs,
      Compression.Format format,
      FileSource source,
      long position,
      int length,
      int chunkSize,
      Runnable onDone) {
    this.allocator = allocator;
    this.codecs = codecs;
    this.format = format;
    this.source = source;
    this.position = position;
    this.length = length;
    this.chunkSize = chunkSize;
    this.onDone = onDone;
  }

  /** The next compressed chunk; null while there is none. */
  synchronized ZeroCopyMessage.@Nullable CompressedOutgoing poll() throws FerryException {
    if (failure instanceof FerryException e) {
      throw e;
    }
    if (failure != null) {
      throw new IllegalStateException("compressing failed: " + failure, failure);
    }
    return done ? compressed.poll() : null;
  }

  /** Whether all chunks were taken. */
  synchronized boolean isEmpty() {
    return done && compressed.isEmpty();
  }

  /** Payload bytes of a compressed chunk. */
  int payloadOf(ZeroCopyMessage.CompressedOutgoing message) {
    return WireFormat.payloadLength(message.decompressedLength());
  }

  /** Gives up what was not taken. */
  synchronized void abandon() {
    abandoned = true;
    compressed.forEach(ZeroCopyMessage.CompressedOutgoing::release);
    compressed.clear();
  }

  private synchronized boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public void run() {
    if (isAbandoned()) {
      return;
    }
    Deque<ZeroCopyMessage.CompressedOutgoing> messages = new ArrayDeque<>();
    Throwable thrown = null;
    try {
      compress(messages);
    } catch (FerryException | RuntimeException | Error e) {
      // An Error too, for instance no direct memory: the stream must end and not wait for ever.
      thrown = e;
    }
    synchronized (this) {
      compressed.addAll(messages);
      failure = thrown;
      done = true;
      if (abandoned) {
        abandon();
        return;
      }
    }
    onDone.run();
  }

  private void compress(Deque<ZeroCopyMessage.CompressedOutgoing> messages) throws FerryException {
    int longest = WireFormat.headerSize(chunkSize) + Math.min(chunkSize, length);
    ByteBuf plain = allocator.directBuffer(longest, longest);
    try {
      for (int at = 0; at < length; at += chunkSize) {
        messages.add(compress(plain, position + at, Math.min(chunkSize, length - at)));
      }
    } finally {
      plain.release();
    }
  }

  private ZeroCopyMessage.CompressedOutgoing compress(ByteBuf plain, long at, int payload)
      throws FerryException {
    int header = WireFormat.headerSize(payload);
    WireFormat.writeHeader(plain, 0, payload);
    source.readFully(plain.internalNioBuffer(header, payload), at);
    int bound = codecs.bound(header + payload);
    ByteBuf compressed = allocator.directBuffer(bound, bound);
    try {
      int n =
          codecs.compress(
              plain.internalNioBuffer(0, header + payload), compressed.internalNioBuffer(0, bound));
      compressed.writerIndex(n);
      return new ZeroCopyMessage.CompressedOutgoing(compressed, format, header + payload);
    } catch (RuntimeException | Error e) {
      compressed.release();
      throw e;
    }
  }
}
