package dev.ferry.core.internal;

import dev.ferry.core.Digest;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The digest of a file, computed from the parts that are read of it. Thread-safe. */
public interface PassingDigest {
  /** Creates the digest of an algorithm, without any part. */
  static PassingDigest of(Digest.Algorithm algorithm) {
    return switch (algorithm) {
      case CRC32C -> new PartialCrc32c();
      case SHA256 -> new OrderedSha256();
    };
  }

  /**
   * Adds a part of the file. A part that was added before is ignored.
   *
   * @param bytes the part from its position to its limit; its position then is its limit
   */
  void add(long position, ByteBuffer bytes);

  /**
   * Adds a part of the file that was read into several buffers.
   *
   * @param bytes the buffers, each from 0 to its position, which does not change
   */
  void add(long position, ByteBuffer[] bytes);

  /** Returns the digest of a file of this size; null if parts of it are missing. */
  @Nullable Digest of(long size);
}
