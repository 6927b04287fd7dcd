package dev.ferry.suites.rival.blocks;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.compress.CompressorPool;
import dev.ferry.grpc.internal.message.CompressionWorkers;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * The threads of one end that compress and decompress blocks, their codecs and their buffers.
 * Thread-safe.
 *
 * @param threads accept work until this is closed
 * @param codecs at the level of all blocks
 * @param allocator of pooled direct buffers
 */
record BlockWorkers(CompressionWorkers threads, CompressorPool codecs, ByteBufAllocator allocator)
    implements AutoCloseable {
  /**
   * Creates workers; their threads start with the first work.
   *
   * @param threads how many can work at once; at least 1
   * @throws UnsupportedOperationException if this machine does not have the codec
   */
  static BlockWorkers of(String name, CompressionCodec codec, int threads) {
    return new BlockWorkers(
        new CompressionWorkers(name, threads, () -> codec),
        new CompressorPool(codec, BlockFormat.LEVEL, threads),
        new PooledByteBufAllocator(true));
  }

  /**
   * Accepts no more work, waits some seconds for accepted work and returns the codecs to the pool.
   */
  @Override
  public void close() {
    threads.close();
    codecs.close();
  }
}
