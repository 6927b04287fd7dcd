package dev.ferry.suites.rival;

import dev.ferry.core.FileSink;
import dev.ferry.http.internal.FileTransferable;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A body that an asynchronous client delivers in its own buffers. The reading thread writes them to
 * the file without a copy, several in one write. Read by one thread, closed by any.
 */
public abstract class BufferStream extends InputStream implements FileTransferable {
  /** Below this a write costs more than it moves. */
  private static final int GATHER_BYTES = 256 * 1024;

  private @Nullable PooledBuffer current;
  private volatile @Nullable Thread reader;
  private volatile boolean ended;
  private volatile boolean closed;

  /**
   * A buffer with the next bytes of the body, never empty.
   *
   * @param release releases the buffer; called once
   */
  public record PooledBuffer(ByteBuffer bytes, Runnable release) {}

  /**
   * The next buffer.
   *
   * @param wait whether to wait for one; an interrupt ends that with {@link
   *     java.nio.channels.ClosedByInterruptException}
   * @return null if there is none without waiting, or after {@link #ended}
   */
  public abstract @Nullable PooledBuffer next(boolean wait) throws IOException;

  /** Releases the unread rest and wakes the reader. Called on any thread, possibly twice. */
  public abstract void abandon();

  /** Marks the buffer that is returned next as the last. */
  public final void ended() {
    ended = true;
  }

  public final boolean hasEnded() {
    return ended;
  }

  public final void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the body was given up");
    }
  }

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] bytes, int offset, int length) throws IOException {
    reader = Thread.currentThread();
    if (length == 0) {
      return 0;
    }
    PooledBuffer buffer = current == null ? next(true) : current;
    if (buffer == null) {
      return -1;
    }
    ByteBuffer content = buffer.bytes();
    int n = Math.min(length, content.remaining());
    content.get(bytes, offset, n);
    current = buffer;
    if (!content.hasRemaining()) {
      releaseCurrent();
    }
    return n;
  }

  @Override
  public final boolean writeNext(FileSink sink) throws IOException {
    List<PooledBuffer> buffers = new ArrayList<>();
    try (Closeable all = () -> release(buffers)) {
      int bytes = 0;
      for (PooledBuffer buffer;
          bytes < GATHER_BYTES && (buffer = next(buffers.isEmpty())) != null; ) {
        buffers.add(buffer);
        bytes += buffer.bytes().remaining();
      }
      if (bytes > 0) {
        ByteBuffer[] parts = buffers.stream().map(PooledBuffer::bytes).toArray(ByteBuffer[]::new);
        sink.write(parts, 0, parts.length);
      }
      return !ended;
    }
  }

  private void releaseCurrent() throws IOException {
    PooledBuffer buffer = current;
    current = null;
    if (buffer != null) {
      release(List.of(buffer));
    }
  }

  /**
   * Releases buffers.
   *
   * @throws IOException if the client has already taken one back, as Jetty's sometimes does when it
   *     is stopped. The bytes read from it may then be those of another body
   */
  private static void release(List<PooledBuffer> buffers) throws IOException {
    IllegalStateException gone = null;
    for (PooledBuffer buffer : buffers) {
      try {
        buffer.release().run();
      } catch (IllegalStateException e) {
        gone = e;
      }
    }
    if (gone != null) {
      throw new IOException("the client has taken back a buffer that was being read", gone);
    }
  }

  @Override
  public final void close() {
    closed = true;
    abandon();
    if (Thread.currentThread() == reader) {
      try {
        releaseCurrent();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
