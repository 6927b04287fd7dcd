package dev.ferry.grpc.message;

import dev.ferry.core.Compression;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.pack.PackCodec;
import dev.ferry.pack.PackPool;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The threads of a client or server that pack and unpack messages beside its event loops, as many
 * as there are processors, and their codecs. Thread-safe.
 */
public final class PackWorkers implements AutoCloseable {
  private static final int IDLE_SECONDS = 10;

  private final int threads = Runtime.getRuntime().availableProcessors();
  private final Supplier<PackCodec> gzip;
  private final ThreadPoolExecutor executor;
  private final Map<Compression, PackPool> pools = new HashMap<>();
  private boolean closed;

  /**
   * Creates workers; their threads start with the first work.
   *
   * @param gzip which library packs and unpacks gzip; asked when that is needed first, since the
   *     answer may load one
   */
  public PackWorkers(String name, Supplier<PackCodec> gzip) {
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

  /**
   * The codecs of a compression.
   *
   * @throws IllegalStateException after {@link #close}
   */
  public synchronized PackPool codecs(Compression compression) {
    if (closed) {
      throw new IllegalStateException("the workers are closed");
    }
    return pools.computeIfAbsent(
        compression, c -> new PackPool(codec(c.format()), c.level(), threads));
  }

  private PackCodec codec(Compression.Format format) {
    return switch (format) {
      case GZIP -> gzip.get();
      case ZSTD -> PackCodec.ZSTD;
    };
  }

  /** Codecs whose native memory has not been given back yet. */
  public synchronized int open() {
    return pools.values().stream().mapToInt(PackPool::open).sum();
  }

  /** How many can work at once. */
  int threads() {
    return threads;
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

  /** Takes no more work, and gives the codecs back as it ends. */
  @Override
  public synchronized void close() {
    closed = true;
    executor.shutdown();
    pools.values().forEach(PackPool::close);
  }
}
