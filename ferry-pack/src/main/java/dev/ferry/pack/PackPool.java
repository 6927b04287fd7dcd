package dev.ferry.pack;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The codecs of a client or a server, used by its threads in turn.
 *
 * <p>A call takes an idle codec or makes one, and gives it back on every path, so nobody can forget
 * to. Threads never wait for each other: up to the bound codecs stay for the next calls, those
 * beyond are closed after their one. Thread-safe.
 */
public final class PackPool implements AutoCloseable {
  private final PackCodec codec;
  private final int level;
  private final AtomicInteger open = new AtomicInteger();
  private final IdleCodecs<Packer> packers;
  private final IdleCodecs<Unpacker> unpackers;

  /**
   * Creates a pool without any codec in it.
   *
   * @param level at which messages are packed
   * @param maxIdle packers that are kept, and unpackers likewise; at least 0
   * @throws IllegalArgumentException if the codec has no such level, or maxIdle is negative
   * @throws UnsupportedOperationException if the codec is not available here
   */
  public PackPool(PackCodec codec, int level, int maxIdle) {
    if (maxIdle < 0) {
      throw new IllegalArgumentException("maxIdle " + maxIdle + " is negative");
    }
    this.codec = codec;
    this.level = level;
    packers = new IdleCodecs<>(() -> codec.newPacker(level), Packer::close, maxIdle, open);
    unpackers = new IdleCodecs<>(codec::newUnpacker, Unpacker::close, maxIdle, open);
    // What is wrong with the codec or the level shows here and not in the first call.
    packers.giveBack(packers.take());
  }

  /** What packs and unpacks here. */
  public PackCodec codec() {
    return codec;
  }

  /** At which messages are packed. */
  public int level() {
    return level;
  }

  /** As {@link Packer#bound}. */
  public int bound(int length) {
    return codec.bound(length);
  }

  /**
   * As {@link Packer#pack}, for any number of threads at a time.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public int pack(ByteBuffer input, ByteBuffer target) {
    Packer packer = packers.take();
    try {
      return packer.pack(input, target);
    } finally {
      packers.giveBack(packer);
    }
  }

  /**
   * As {@link Unpacker#unpack}, for any number of threads at a time.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public int unpack(ByteBuffer input, ByteBuffer target)
      throws CorruptPackException, UnpackedTooLargeException {
    Unpacker unpacker = unpackers.take();
    try {
      return unpacker.unpack(input, target);
    } finally {
      unpackers.giveBack(unpacker);
    }
  }

  /** Codecs, idle and at work, whose native memory has not been given back yet. */
  public int open() {
    return open.get();
  }

  /** Closes what is idle now, and what is at work when its call returns; idempotent. */
  @Override
  public void close() {
    packers.close();
    unpackers.close();
  }
}
