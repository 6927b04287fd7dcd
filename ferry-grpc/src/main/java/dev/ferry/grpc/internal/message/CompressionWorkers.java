package dev.ferry.grpc.internal.message;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.compress.CompressionThreads;
import dev.ferry.compress.CompressorPool;
import dev.ferry.core.Compression;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a client or server that compress and decompress messages beside its event loops,
 * and their codecs. Thread-safe.
 */
public final class CompressionWorkers implements CompressionThreads<FerryException>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CompressionWorkers.class);
  private static final int IDLE_SECONDS = 10;
  private static final int CLOSE_SECONDS = 3;

  private final int threads;
  private final Supplier<CompressionCodec> gzip;
  private final ThreadPoolExecutor executor;
  private final Map<Compression, CompressorPool> pools = new HashMap<>();
  private boolean closed;

  /**
   * Creates as many workers as there are processors; their threads start with the first work.
   *
   * @param gzip which library compresses and decompresses gzip; looked up when it is needed first,
   *     since that may load it
   */
  public CompressionWorkers(String name, Supplier<CompressionCodec> gzip) {
    this(name, Runtime.getRuntime().availableProcessors(), gzip);
  }

  /**
   * As above, with so many threads.
   *
   * @param threads at least 1
   */
  public CompressionWorkers(String name, int threads, Supplier<CompressionCodec> gzip) {
    this.threads = threads;
    this.gzip = gzip;
    executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory(name, true));
    executor.allowCoreThreadTimeOut(true);
  }

  /** Whether a format can be used here. To find out may load its library. */
  public static boolean have(Compression.Format format) {
    return switch (format) {
      case GZIP -> true;
      case ZSTD -> CompressionCodec.ZSTD.available();
    };
  }

  /**
   * The codecs of a compression.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} after {@link #close}
   */
  public synchronized CompressorPool codecs(Compression compression) throws FerryException {
    if (closed) {
      throw closing(null);
    }
    return pools.computeIfAbsent(
        compression, c -> new CompressorPool(codec(c.format()), c.level(), threads));
  }

  private CompressionCodec codec(Compression.Format format) {
    return switch (format) {
      case GZIP -> gzip.get();
      case ZSTD -> CompressionCodec.ZSTD;
    };
  }

  /** Codecs whose native memory has not been given back yet. */
  public synchronized int open() {
    return pools.values().stream().mapToInt(CompressorPool::open).sum();
  }

  @Override
  public int threads() {
    return threads;
  }

  /**
   * Does some work soon; even after {@link #close} what was accepted is done, since it may own
   * buffers.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} after {@link #close}
   */
  @Override
  public void execute(Runnable work) throws FerryException {
    try {
      executor.execute(work);
    } catch (RejectedExecutionException e) {
      throw closing(e);
    }
  }

  /** What is said of work that comes after {@link #close}. */
  static FerryException closing(@Nullable Throwable cause) {
    return new FerryException(ErrorKind.UNAVAILABLE, "this end is closing; try again", cause);
  }

  @Override
  public boolean areBusy() {
    return !executor.getQueue().isEmpty();
  }

  /** Takes no more work, waits a few seconds for what was accepted, and gives the codecs back. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("messages are still being compressed or decompressed after {} s", CLOSE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      closed = true;
      pools.values().forEach(CompressorPool::close);
    }
  }
}
