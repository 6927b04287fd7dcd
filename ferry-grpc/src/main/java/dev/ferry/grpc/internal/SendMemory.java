package dev.ferry.grpc.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.zerocopy.BytesField;
import dev.ferry.zerocopy.ZeroCopy;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The direct memory of the messages that a port has made and their readers have not taken. A call
 * has as much of it as its transport queues, from its begin until it is closed: a reader may let
 * all of it wait. What a holder gets is its {@linkplain CallerShares share}. Thread-safe.
 */
final class SendMemory {
  /** What gRPC-Web queues before a stream is not ready; grpc-java queues less by default. */
  private static final int READY_BYTES = 128 * 1024;

  /**
   * What a compressed download may take beside what it has compressed ahead. The least compressed
   * messages have 80 bytes, of which the transport queues thousands, and each has objects of some
   * hundred bytes.
   */
  private static final int OBJECTS = 8 * ZeroCopy.ON_READY_THRESHOLD;

  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

  /** A server has a port of gRPC and one of gRPC-Web, and as much for {@code BodyMemory}. */
  private final CallerShares memory = new CallerShares(Runtime.getRuntime().maxMemory() / 4);

  private enum Size {
    SMALL,
    BATCHES,
    COMPRESSED
  }

  /** What a call has of the memory. */
  static final class Share implements AutoCloseable {
    private final CallerShares memory;
    private final String holder;
    private final long bytes;
    private final Size size;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Share(CallerShares memory, String holder, long bytes, Size size) {
      this.memory = memory;
      this.holder = holder;
      this.bytes = bytes;
      this.size = size;
    }

    /** Whether it is enough for batches. */
    boolean batches() {
      return size != Size.SMALL;
    }

    /** Whether it is enough for what is compressed ahead. */
    boolean compresses() {
      return size == Size.COMPRESSED;
    }

    /** Gives the memory back. */
    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        memory.giveBack(holder, bytes);
      }
    }
  }

  /**
   * Takes memory for a download: as much as makes it fast, without compression if there is less, or
   * else for one chunk at a time.
   *
   * @param chunkSize the bytes of a chunk
   * @param ahead the bytes that are compressed ahead; 0 if it is not to be compressed
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if the holder has its share
   */
  Share forDownload(String holder, int chunkSize, long ahead) throws FerryException {
    long compressed = ZeroCopy.ON_READY_THRESHOLD + OBJECTS + ahead;
    if (ahead > 0 && memory.take(holder, compressed)) {
      return new Share(memory, holder, compressed, Size.COMPRESSED);
    }
    long batches = (long) ZeroCopy.ON_READY_THRESHOLD + BytesField.batchSize(chunkSize);
    return memory.take(holder, batches)
        ? new Share(memory, holder, batches, Size.BATCHES)
        : forMessages(holder, chunkSize);
  }

  /**
   * Takes memory for messages of a size, of which one is made when the transport is ready.
   *
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if the holder has its share
   */
  Share forMessages(String holder, int bytes) throws FerryException {
    long small = READY_BYTES + bytes;
    if (!memory.take(holder, small)) {
      throw new FerryException(
              ErrorKind.OVERLOADED,
              "too many downloads and lists of this user at a time; try again")
          .withRetryAfter(TRY_AGAIN);
    }
    return new Share(memory, holder, small, Size.SMALL);
  }

  /** Has a share given back when a call is closed, after an event if it is cancelled. */
  static void closeWith(ServerCallStreamObserver<?> call, Share share, Runnable onCancel) {
    call.setOnCloseHandler(share::close);
    call.setOnCancelHandler(
        () -> {
          try {
            onCancel.run();
          } finally {
            share.close();
          }
        });
  }
}
