package dev.ferry.suites.receiving;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Counts the written bytes, or computes their digest, and discards them. */
public final class ReceivingSink implements FileSink {
  private final String name;
  private final long size;
  private final byte @Nullable [] expected;
  private final @Nullable MessageDigest digest;
  private final LongConsumer committed;
  private long written;

  /**
   * Begins to receive a file.
   *
   * @param size bytes it must have
   * @param md5 the expected digest; null to compute none
   * @param committed called with the bytes of each correct file
   */
  ReceivingSink(String name, long size, byte @Nullable [] md5, LongConsumer committed) {
    this.name = name;
    this.size = size;
    this.expected = md5;
    this.digest = md5 == null ? null : md5();
    this.committed = committed;
  }

  /** Creates the digest that the reference's receiver computes. */
  public static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has MD5", e);
    }
  }

  @Override
  public long written() {
    return written;
  }

  @Override
  public void expect(long announced) {
    // Its size is known, and nothing is kept that could be too much.
  }

  @Override
  public void checkExpansion(long arrived) {
    // As above.
  }

  @Override
  public void write(ByteBuffer source) {
    written += source.remaining();
    if (digest == null) {
      source.position(source.limit());
    } else {
      digest.update(source);
    }
  }

  @Override
  public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
      throws FerryException {
    if (expectedDigest != null) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, name + ": of what is not kept no digest is checked");
    }
    if (written != size) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, name + ": " + written + " bytes arrived, not " + size);
    }
    if (digest != null && !Arrays.equals(digest.digest(), expected)) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH,
          name + ": MD5 of what arrived is another than that of what was sent");
    }
    committed.accept(written);
    return new FileFacts(name, written, FileFacts.UNKNOWN_TIME, false, null);
  }

  @Override
  public void close() {
    // Nothing is kept.
  }
}
