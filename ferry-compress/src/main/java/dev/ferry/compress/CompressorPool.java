package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The codecs of a client or a server, used by its threads in turn.
 *
 * <p>A call takes an idle codec or makes one, and gives it back on every path, so nobody can forget
 * to. Threads never wait for each other: up to the bound codecs stay for the next calls, those
 * beyond are closed after their one. Thread-safe.
 */
public final class CompressorPool implements AutoCloseable {
  private final CompressionCodec codec;
  private final int level;
  private final AtomicInteger open = new AtomicInteger();
  private final IdlePool<Compressor> compressors;
  private final IdlePool<Decompressor> decompressors;

  /**
   * Creates a pool without any codec in it.
   *
   * @param level at which messages are compressed
   * @param maxIdle compressors that are kept, and decompressors likewise; at least 0
   * @throws IllegalArgumentException if the codec has no such level, or maxIdle is negative
   * @throws UnsupportedOperationException if the codec is not available here
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
    // What is wrong with the codec or the level shows here and not in the first call.
    compressors.giveBack(compressors.take());
  }

  /** What compresses and decompresses here. */
  public CompressionCodec codec() {
    return codec;
  }

  /** At which messages are compressed. */
  public int level() {
    return level;
  }

  /** As {@link Compressor#bound}. */
  public int bound(int length) {
    return codec.bound(length);
  }

  /**
   * As {@link Compressor#compress}, for any number of threads at a time.
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
   * As {@link Decompressor#decompress}, for any number of threads at a time.
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

  /** Codecs, idle and at work, whose native memory has not been given back yet. */
  public int open() {
    return open.get();
  }

  /** Closes what is idle now, and what is at work when its call returns; idempotent. */
  @Override
  public void close() {
    compressors.close();
    decompressors.close();
  }
}
