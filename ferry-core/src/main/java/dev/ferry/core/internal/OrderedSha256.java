package dev.ferry.core.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.Sha256;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Computes the SHA-256 of a file from its parts in order. It ignores a part that does not begin at
 * the end of those before, and then has no digest of the file.
 */
final class OrderedSha256 implements PassingDigest {
  private final Sha256.Running digest = new Sha256.Running();
  private long end;
  private @Nullable Digest complete;

  @Override
  public synchronized void add(long position, ByteBuffer bytes) {
    if (position == end && complete == null) {
      end += bytes.remaining();
      digest.add(bytes);
    }
    bytes.position(bytes.limit());
  }

  @Override
  public synchronized void add(long position, ByteBuffer[] bytes) {
    long at = position;
    for (ByteBuffer buffer : bytes) {
      int length = buffer.position();
      add(at, buffer.flip());
      at += length;
    }
  }

  @Override
  public synchronized @Nullable Digest of(long size) {
    if (complete == null && end == size) {
      complete = digest.finish();
    }
    return end == size ? complete : null;
  }
}
