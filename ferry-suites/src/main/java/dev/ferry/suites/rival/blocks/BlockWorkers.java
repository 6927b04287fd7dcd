package dev.ferry.suites.rival.blocks;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.compress.CompressorPool;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one end that compress and decompress blocks, their codecs and their buffers.
 * Thread-safe.
 */
final class BlockWorkers implements AutoCloseable {
  private static final int CLOSE_SECONDS = 5;

  private final ThreadPoolExecutor executor;
  private final CompressorPool codecs;
  private final ByteBufAllocator allocator = new PooledByteBufAllocator(true);

  /**
   * Creates workers; their threads start with the first work.
   *
   * @param threads how many can work at once; at least 1
   * @throws UnsupportedOperationException if this machine does not have the codec
   */
  BlockWorkers(String name, CompressionCodec codec, int threads) {
    codecs = new CompressorPool(codec, BlockFormat.LEVEL, threads);
    executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory(name, true));
  }

  CompressorPool codecs() {
    return codecs;
  }

  /** Pooled direct buffers. */
  ByteBufAllocator allocator() {
    return allocator;
  }

  /**
   * Does some work soon; even after {@link #close} what was accepted is done, since it may own
   * buffers.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} after {@link #close}
   */
  void execute(Runnable work) throws FerryException {
    try {
      executor.execute(work);
    } catch (RejectedExecutionException e) {
      throw new FerryException(ErrorKind.UNAVAILABLE, "this end is closing; try again", e);
    }
  }

  /** Takes no more work, waits some seconds for what was accepted and gives the codecs back. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    codecs.close();
  }
}
