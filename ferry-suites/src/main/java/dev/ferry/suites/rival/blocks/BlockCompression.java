package dev.ferry.suites.rival.blocks;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Has workers read and compress pieces of a file ahead, and gives the blocks out in order.
 * Thread-safe.
 */
final class BlockCompression implements AutoCloseable {
  private static final int BLOCKS_AHEAD = 16;

  private final FileSource source;
  private final int pieceBytes;
  private final BlockWorkers workers;
  private final IntFunction<ByteBuf> buffers;
  private final Runnable onReady;
  private final long size;
  private final Deque<Work> works = new ArrayDeque<>();
  private long scheduled;
  private long position;
  private boolean closed;

  /**
   * Prepares; nothing is read before {@link #next} is called.
   *
   * @param source stays the caller's to close
   * @param pieceBytes bytes of the file in a block, but for the last one
   * @param buffers gives an empty buffer of at least so many bytes
   * @param onReady runs on a worker when {@link #next} may have become possible
   */
  BlockCompression(
      FileSource source,
      int pieceBytes,
      BlockWorkers workers,
      IntFunction<ByteBuf> buffers,
      Runnable onReady) {
    this.source = source;
    this.pieceBytes = pieceBytes;
    this.workers = workers;
    this.buffers = buffers;
    this.onReady = onReady;
    this.size = source.facts().size();
  }

  /** Whether every block was given out. */
  synchronized boolean ended() {
    return position >= size;
  }

  /**
   * The next block with its length before it, for the caller to release; null while there is none.
   * The last one comes only if the file has not changed meanwhile.
   */
  synchronized @Nullable ByteBuf next() throws FerryException {
    if (closed) {
      return null;
    }
    Work first = works.peek();
    ByteBuf block = first == null ? null : first.take();
    if (first != null && block != null) {
      works.remove();
      position += first.length;
    }
    try {
      while (scheduled < size && works.size() < BLOCKS_AHEAD) {
        Work work = new Work(scheduled, (int) Math.min(pieceBytes, size - scheduled));
        workers.execute(work);
        works.add(work);
        scheduled += work.length;
      }
      if (block != null && ended()) {
        source.verifyUnchanged();
      }
      return block;
    } catch (FerryException e) {
      if (block != null) {
        block.release();
      }
      throw e;
    }
  }

  /** Gives up what was not taken; a worker may still read the file for a moment. */
  @Override
  public synchronized void close() {
    closed = true;
    works.forEach(Work::drop);
    works.clear();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** One piece of the file; its fields are the compressing's to guard. */
  private final class Work implements Runnable {
    private final long at;
    private final int length;
    private @Nullable ByteBuf block;
    private @Nullable Throwable failure;

    Work(long at, int length) {
      this.at = at;
      this.length = length;
    }

    @Nullable ByteBuf take() throws FerryException {
      if (failure instanceof FerryException e) {
        throw e;
      }
      if (failure != null) {
        throw new IllegalStateException("compressing failed: " + failure, failure);
      }
      return block;
    }

    void drop() {
      if (block != null) {
        block.release();
        block = null;
      }
    }

    @Override
    public void run() {
      if (isClosed()) {
        return;
      }
      ByteBuf compressed = null;
      Throwable thrown = null;
      try {
        compressed = compress();
      } catch (FerryException | RuntimeException | Error e) {
        // An Error too, for instance no direct memory: the body must end and not wait for ever.
        thrown = e;
      }
      if (deliver(compressed, thrown)) {
        onReady.run();
      }
    }

    /** Hands the outcome over; whether it is the one that is waited for. */
    private boolean deliver(@Nullable ByteBuf compressed, @Nullable Throwable thrown) {
      synchronized (BlockCompression.this) {
        block = compressed;
        failure = thrown;
        if (closed) {
          drop();
          return false;
        }
        return works.peek() == this;
      }
    }

    private ByteBuf compress() throws FerryException {
      ByteBuf plain = workers.allocator().directBuffer(length, length);
      try {
        source.readFully(plain.internalNioBuffer(0, length), at);
        int bound = workers.codecs().bound(length);
        ByteBuf target = buffers.apply(BlockFormat.PREFIX_BYTES + bound);
        try {
          int n =
              workers
                  .codecs()
                  .compress(
                      plain.internalNioBuffer(0, length),
                      target.internalNioBuffer(BlockFormat.PREFIX_BYTES, bound));
          target.setInt(0, n);
          return target.writerIndex(BlockFormat.PREFIX_BYTES + n);
        } catch (RuntimeException | Error e) {
          target.release();
          throw e;
        }
      } finally {
        plain.release();
      }
    }
  }
}
