package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pool of the compressors and decompressors of a client or a server.
 *
 * <p>Each call takes an idle instance or creates one, and returns it to the pool when the call
 * ends. Threads never wait for each other. The pool keeps up to a maximum number of idle instances;
 * additional ones are closed after their call. Thread-safe.
 */
public final class CompressorPool implements AutoCloseable {
  private final CompressionCodec codec;
  private final int level;
  private final AtomicInteger open = new AtomicInteger();
  private final IdlePool<Compressor> compressors;
  private final IdlePool<Decompressor> decompressors;

  /**
   * Creates a pool. Creates one compressor to check the codec and the level.
   *
   * @param level compression level
   * @param maxIdle maximum number of idle compressors, and of idle decompressors; at least 0
   * @throws IllegalArgumentException if the codec has no such level, or maxIdle is negative
   * @throws UnsupportedOperationException if the codec is not available
   */
  public CompressorPool(CompressionCodec codec, int level, int maxIdle) {
    if (maxIdle < 0) {
      throw new IllegalArgumentException("maxIdle " + maxIdle + " is negative");
    }
    this.codec = codec;
    this.level = level;
    compressors =
        new IdlePool<>(() -> codec.newCompressor(level), Compressor::close, maxIdle, open);
    decompressors = new IdlePool<>(codec::newDecompressor, Decompressor::close, maxIdle, open);
    // Fail here instead of in the first call if the codec or the level cannot be used.
    compressors.giveBack(compressors.take());
  }

  /** The codec of the pool. */
  public CompressionCodec codec() {
    return codec;
  }

  /** The compression level of the pool. */
  public int level() {
    return level;
  }

  /** As {@link Compressor#bound}. */
  public int bound(int length) {
    return codec.bound(length);
  }

  /**
   * As {@link Compressor#compress}, but thread-safe.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public int compress(ByteBuffer input, ByteBuffer target) {
    Compressor compressor = compressors.take();
    try {
      return compressor.compress(input, target);
    } finally {
      compressors.giveBack(compressor);
    }
  }

  /**
   * As {@link Decompressor#decompress}, but thread-safe.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public int decompress(ByteBuffer input, ByteBuffer target)
      throws CorruptDataException, DecompressedTooLargeException {
    Decompressor decompressor = decompressors.take();
    try {
      return decompressor.decompress(input, target);
    } finally {
      decompressors.giveBack(decompressor);
    }
  }

  /** Number of instances, idle and in use, whose native memory has not been released. */
  public int open() {
    return open.get();
  }

  /** Closes idle instances now, and those in use when their call returns; idempotent. */
  @Override
  public void close() {
    compressors.close();
    decompressors.close();
  }
}
