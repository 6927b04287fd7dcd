package dev.ferry.lab.suite.calls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is written, or takes its digest, and keeps none of it: when it is closed the file
 * below has the length of what was written, and no content. For one thread at a time.
 */
final class ReceivingChannel extends FileChannel {
  private final FileChannel file;
  private final byte @Nullable [] expected;
  private final @Nullable MessageDigest digest;
  private final long size;
  private long written;

  /**
   * Takes over a file that is open for writing.
   *
   * @param md5 what the digest must be when all has arrived; null to take none
   * @param size bytes of all
   */
  ReceivingChannel(FileChannel file, byte @Nullable [] md5, long size) {
    this.file = file;
    this.expected = md5;
    this.digest = md5 == null ? null : md5();
    this.size = size;
  }

  /** A digest that takes what the reference's receiver does. */
  static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has MD5", e);
    }
  }

  @Override
  public int write(ByteBuffer source) {
    int n = source.remaining();
    if (digest == null) {
      source.position(source.limit());
    } else {
      digest.update(source);
    }
    written += n;
    return n;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    long n = 0;
    for (int i = offset; i < offset + length; i++) {
      n += write(sources[i]);
    }
    return n;
  }

  @Override
  protected void implCloseChannel() throws IOException {
    try (file) {
      if (written > 0) {
        file.write(ByteBuffer.allocate(1), written - 1);
      }
    }
    if (digest != null && written == size && !Arrays.equals(digest.digest(), expected)) {
      throw new IOException("MD5 of what arrived is another than that of what was sent");
    }
  }

  @Override
  public long position() {
    return written;
  }

  @Override
  public long size() {
    return written;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    file.force(metaData);
  }

  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("what is received is written in its order");
  }

  @Override
  public FileChannel position(long position) {
    throw unsupported();
  }

  @Override
  public int write(ByteBuffer source, long position) {
    throw unsupported();
  }

  @Override
  public int read(ByteBuffer target) {
    throw unsupported();
  }

  @Override
  public int read(ByteBuffer target, long position) {
    throw unsupported();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw unsupported();
  }

  @Override
  public FileChannel truncate(long newSize) {
    throw unsupported();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw unsupported();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw unsupported();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long length) {
    throw unsupported();
  }

  @Override
  public FileLock lock(long position, long length, boolean shared) {
    throw unsupported();
  }

  @Override
  public FileLock tryLock(long position, long length, boolean shared) {
    throw unsupported();
  }
}
