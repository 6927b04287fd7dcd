package dev.ferry.core;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A real file whose writes pass through a fault; everything else goes straight to the file. */
public final class FaultyChannel extends FileChannel {
  /** What becomes of one write. */
  @FunctionalInterface
  public interface Fault {
    /** Writes some of the bytes, or fails; gives how many were taken. */
    int write(FileChannel file, ByteBuffer bytes) throws IOException;

    /** Forces what was written to the disk. */
    default void force(FileChannel file, boolean metaData) throws IOException {
      file.force(metaData);
    }
  }

  private final FileChannel file;
  private final Fault fault;

  private FaultyChannel(FileChannel file, Fault fault) {
    this.file = file;
    this.fault = fault;
  }

  /** Receives files on a disk with a fault. */
  public static SinkOptions options(Fault fault) {
    SinkOptions.Opener opener = SinkOptions.DEFAULT.opener();
    return SinkOptions.DEFAULT.withOpener(
        (path, attributes) -> new FaultyChannel(opener.open(path, attributes), fault));
  }

  /** A disk that is full after this many bytes of all its files together. */
  public static Fault fullAfter(long bytes) {
    AtomicLong free = new AtomicLong(bytes);
    return (file, source) -> {
      long left = free.get();
      if (left == 0) {
        throw new IOException("No space left on device");
      }
      int n = writeAtMost(file, source, left);
      free.addAndGet(-n);
      return n;
    };
  }

  /** A disk that writes this many bytes per second. Calls {@code onWrite} before each wait. */
  public static Fault slow(long bytesPerSecond, Runnable onWrite) {
    return (file, source) -> {
      int n = writeAtMost(file, source, bytesPerSecond / 50);
      onWrite.run();
      try {
        TimeUnit.NANOSECONDS.sleep(TimeUnit.SECONDS.toNanos(n) / bytesPerSecond);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        file.close();
        throw new ClosedByInterruptException();
      }
      return n;
    };
  }

  /** A disk that takes at most this many bytes of each buffer at a time. */
  public static Fault partial(int most) {
    return (file, source) -> writeAtMost(file, source, most);
  }

  /** A disk that flips a bit of the first byte of each write. */
  public static Fault corrupting() {
    return (file, source) -> {
      ByteBuffer copy = ByteBuffer.allocate(source.remaining()).put(source).flip();
      copy.put(0, (byte) (copy.get(0) ^ 1));
      int n = copy.remaining();
      while (copy.hasRemaining()) {
        file.write(copy);
      }
      return n;
    };
  }

  private static int writeAtMost(FileChannel file, ByteBuffer source, long most)
      throws IOException {
    int limit = source.limit();
    source.limit(source.position() + (int) Math.min(most, source.remaining()));
    try {
      return file.write(source);
    } finally {
      source.limit(limit);
    }
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return source.hasRemaining() ? fault.write(file, source) : 0;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    long total = 0;
    for (int i = offset; i < offset + length; i++) {
      total += write(sources[i]);
      if (sources[i].hasRemaining()) {
        break;
      }
    }
    return total;
  }

  @Override
  public int write(ByteBuffer source, long position) {
    throw new UnsupportedOperationException("files are received from their first byte on");
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new UnsupportedOperationException("files are received through their sink");
  }

  @Override
  public int read(ByteBuffer destination) throws IOException {
    return file.read(destination);
  }

  @Override
  public long read(ByteBuffer[] destinations, int offset, int length) throws IOException {
    return file.read(destinations, offset, length);
  }

  @Override
  public int read(ByteBuffer destination, long position) throws IOException {
    return file.read(destination, position);
  }

  @Override
  public long position() throws IOException {
    return file.position();
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    file.position(newPosition);
    return this;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    file.truncate(size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    fault.force(file, metaData);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return file.transferTo(position, count, target);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return file.map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return file.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return file.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }
}
