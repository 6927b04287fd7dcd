package dev.ferry.suites.rival.blocks;

import dev.ferry.core.TransferOptions;

/**
 * A body of blocks: each a length of four bytes, big-endian, and as many bytes of one gzip member,
 * which is a chunk of the file. HTTP's own gzip has no such parts: readers refuse several members
 * or stop after the first, so only one core can compress a file and only one decompress it.
 */
final class BlockFormat {
  /** The content coding. It is not named gzip, because a gzip reader cannot decode it. */
  static final String ENCODING = "x-ferry-gzip-blocks";

  /** Bytes of a block's length. */
  static final int PREFIX_BYTES = Integer.BYTES;

  /** Most bytes of a chunk of the file. */
  static final int MAX_CHUNK = TransferOptions.MAX_CHUNK;

  /** The gzip level, as in every other row. */
  static final int LEVEL = 1;

  private BlockFormat() {}
}
