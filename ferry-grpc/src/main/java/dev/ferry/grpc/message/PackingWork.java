package dev.ferry.grpc.message;

import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.pack.PackPool;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A few chunks that one worker reads and packs. Thread-safe. */
final class PackingWork implements Runnable {
  private final ByteBufAllocator allocator;
  private final PackPool codecs;
  private final Compression.Format format;
  private final FileSource source;
  private final long position;
  private final int length;
  private final int chunkSize;
  private final Runnable onDone;
  private final Deque<ZeroCopyMessage.PackedOutgoing> packed = new ArrayDeque<>();
  private @Nullable Throwable failure;
  private boolean done;
  private boolean abandoned;

  /**
   * Creates the work.
   *
   * @param length payload bytes of all chunks
   * @param onDone runs, on the worker, when the chunks can be had
   */
  PackingWork(
      ByteBufAllocator allocator,
      PackPool codecs,
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

  /** The next packed chunk; null while there is none. */
  synchronized ZeroCopyMessage.@Nullable PackedOutgoing poll() throws FerryException {
    if (failure instanceof FerryException e) {
      throw e;
    }
    if (failure != null) {
      throw new IllegalStateException("packing failed: " + failure, failure);
    }
    return done ? packed.poll() : null;
  }

  /** Whether all chunks were taken. */
  synchronized boolean isEmpty() {
    return done && packed.isEmpty();
  }

  /** Payload bytes of a packed chunk. */
  int payloadOf(ZeroCopyMessage.PackedOutgoing message) {
    return WireFormat.payloadLength(message.unpackedLength());
  }

  /** Gives up what was not taken. */
  synchronized void abandon() {
    abandoned = true;
    packed.forEach(ZeroCopyMessage.PackedOutgoing::release);
    packed.clear();
  }

  private synchronized boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public void run() {
    if (isAbandoned()) {
      return;
    }
    Deque<ZeroCopyMessage.PackedOutgoing> messages = new ArrayDeque<>();
    Throwable thrown = null;
    try {
      pack(messages);
    } catch (FerryException | RuntimeException | Error e) {
      // An Error too, for instance no direct memory: the stream must end and not wait for ever.
      thrown = e;
    }
    synchronized (this) {
      packed.addAll(messages);
      failure = thrown;
      done = true;
      if (abandoned) {
        abandon();
        return;
      }
    }
    onDone.run();
  }

  private void pack(Deque<ZeroCopyMessage.PackedOutgoing> messages) throws FerryException {
    int longest = WireFormat.headerSize(chunkSize) + Math.min(chunkSize, length);
    ByteBuf plain = allocator.directBuffer(longest, longest);
    try {
      for (int at = 0; at < length; at += chunkSize) {
        messages.add(pack(plain, position + at, Math.min(chunkSize, length - at)));
      }
    } finally {
      plain.release();
    }
  }

  private ZeroCopyMessage.PackedOutgoing pack(ByteBuf plain, long at, int payload)
      throws FerryException {
    int header = WireFormat.headerSize(payload);
    WireFormat.writeHeader(plain, 0, payload);
    source.readFully(plain.internalNioBuffer(header, payload), at);
    int bound = codecs.bound(header + payload);
    ByteBuf packed = allocator.directBuffer(bound, bound);
    try {
      int n =
          codecs.pack(
              plain.internalNioBuffer(0, header + payload), packed.internalNioBuffer(0, bound));
      packed.writerIndex(n);
      return new ZeroCopyMessage.PackedOutgoing(packed, format, header + payload);
    } catch (RuntimeException | Error e) {
      packed.release();
      throw e;
    }
  }
}
