package dev.ferry.suites.rival.blocks;

import dev.ferry.compress.ParallelCompressor;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import io.netty.buffer.ByteBuf;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Has workers read and compress chunks of a file ahead, and returns the blocks in order.
 * Thread-safe.
 */
final class BlockCompression implements AutoCloseable {
  private static final int BLOCKS_AHEAD = 16;

  private final FileSource source;
  private final BlockWorkers workers;
  private final IntFunction<ByteBuf> buffers;
  private final ParallelCompressor<ByteBuf, FerryException> blocks;

  /**
   * Prepares; nothing is read before {@link #next} is called.
   *
   * @param source closed by the caller
   * @param chunkBytes bytes of the file in a block, but for the last one
   * @param buffers returns an empty buffer of at least this many bytes
   * @param onReady runs on a worker when {@link #next} may return a block
   */
  BlockCompression(
      FileSource source,
      int chunkBytes,
      BlockWorkers workers,
      IntFunction<ByteBuf> buffers,
      Runnable onReady) {
    this.source = source;
    this.workers = workers;
    this.buffers = buffers;
    this.blocks =
        new ParallelCompressor<>(
            workers.threads(),
            source.facts().size(),
            chunkBytes,
            BLOCKS_AHEAD,
            this::compress,
            ByteBuf::release,
            onReady);
  }

  /** Returns whether every block was returned. */
  boolean ended() {
    return blocks.ended();
  }

  /**
   * Returns the next block after its length; the caller releases it. Returns null while there is
   * none. The last block is returned only if the file has not changed meanwhile.
   */
  @Nullable ByteBuf next() throws FerryException {
    ByteBuf block = blocks.next();
    if (block != null && blocks.ended()) {
      try {
        source.verifyUnchanged();
      } catch (FerryException e) {
        block.release();
        throw e;
      }
    }
    return block;
  }

  private ByteBuf compress(long position, int length) throws FerryException {
    ByteBuf plain = workers.allocator().directBuffer(length, length);
    try {
      source.readFully(plain.internalNioBuffer(0, length), position);
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

  /** Releases the blocks that were not returned. A worker may still read the file for a moment. */
  @Override
  public void close() {
    blocks.close();
  }
}
