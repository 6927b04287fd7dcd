package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.grpc.internal.message.ChunkFormat;
import dev.ferry.grpc.internal.message.CompressionWorkers;
import dev.ferry.grpc.internal.transport.Transport;
import dev.ferry.zerocopy.ZeroCopy;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;

/** What one end is made of, with its memory in sight. */
final class MeasuredEnd {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final PooledByteBufAllocator pool = (PooledByteBufAllocator) ZeroCopy.newPool();
  private final CompressionWorkers workers =
      new CompressionWorkers("test-compress", () -> CompressionCodec.GZIP_JDK);
  private final GrpcSetup setup;

  MeasuredEnd() {
    ChunkFormat format = new ChunkFormat(pool, workers, any -> true);
    setup = new GrpcSetup(format, new Transport(pool, format.codecs()), true);
  }

  GrpcSetup setup() {
    return setup;
  }

  CompressionWorkers workers() {
    return workers;
  }

  /** Bytes of buffers that somebody has and has not released. */
  long usedBytes() {
    return pool.pinnedDirectMemory();
  }

  /** Bytes the pool has taken, of which some may be idle. */
  long pooledBytes() {
    return pool.metric().usedDirectMemory();
  }

  /** Waits, within seconds, until every buffer was released. */
  void awaitReleased() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    long used = usedBytes();
    while (used != 0 && System.nanoTime() < end) {
      Thread.sleep(2);
      // Another end may still be at work, so this can grow again.
      used = usedBytes();
    }
    assertThat(used).as("bytes of buffers not released").isZero();
  }

  /** After the end was closed: waits, within seconds, until it holds no native memory. */
  void awaitDrained() throws InterruptedException {
    awaitReleased();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (workers.open() != 0 && System.nanoTime() < end) {
      Thread.sleep(2);
    }
    assertThat(workers.open()).as("codecs not closed").isZero();
  }
}
