package dev.ferry.grpc.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.grpc.internal.message.ChunkFormat;
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
  /** What grpc-java queues by default before a stream is not ready. */
  private static final int READY_BYTES = 32 * 1024;

  /**
   * What a compressed download may take beside what it has compressed ahead. The least compressed
   * messages have 80 bytes, of which the transport queues thousands, and each has objects of some
   * hundred bytes.
   */
  private static final int OBJECTS = 8 * ZeroCopy.ON_READY_THRESHOLD;

  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

  private final CallerShares memory = new CallerShares(Runtime.getRuntime().maxMemory() / 2);

  /** What a call has of the memory. */
  static final class Share implements AutoCloseable {
    private final CallerShares memory;
    private final String holder;
    private final long bytes;
    private final boolean large;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Share(CallerShares memory, String holder, long bytes, boolean large) {
      this.memory = memory;
      this.holder = holder;
      this.bytes = bytes;
      this.large = large;
    }

    /** Whether it is enough for batches and for what is compressed ahead. */
    boolean isLarge() {
      return large;
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
   * Takes memory for a download: as much as makes it fast, or else for one chunk at a time.
   *
   * @param chunkSize the bytes of a chunk
   * @param compressed whether its messages are compressed
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if the holder has its share
   */
  Share forDownload(String holder, int chunkSize, boolean compressed) throws FerryException {
    int ahead =
        compressed ? ChunkFormat.COMPRESSED_AHEAD + OBJECTS : BytesField.batchSize(chunkSize);
    long large = (long) ZeroCopy.ON_READY_THRESHOLD + ahead;
    return memory.take(holder, large)
        ? new Share(memory, holder, large, true)
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
              "too many downloads and lists of this user wait for their readers; try again")
          .withRetryAfter(TRY_AGAIN);
    }
    return new Share(memory, holder, small, false);
  }

  /** Has a share given back when a call is closed, after an event if it is cancelled. */
  static void closeWith(ServerCallStreamObserver<?> call, Share share, Runnable onCancel) {
    call.setOnCloseHandler(share::close);
    call.setOnCancelHandler(
        () -> {
          onCancel.run();
          share.close();
        });
  }
}
