package dev.ferry.core.local;

import dev.ferry.core.Sha256;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Computes the SHA-256 of a file while it is being written. Tasks on other threads read each part
 * back from the file soon after it was written, in order.
 *
 * <p>No thread waits for bytes. One task at a time runs, when enough bytes have been written. The
 * writer's thread calls {@link #wrote}; any thread may call {@link #finish}.
 *
 * <p>The file is read, and not the buffers that were received: those belong to the transport, which
 * gets them back after each write. To compute SHA-256 over them, the receiving thread would have to
 * wait, or the buffers would stay in memory. What that could save is a copy out of the page cache,
 * much less than the computation. Changes of a part after it was read are not seen.
 */
final class TrailingDigest implements AutoCloseable {
  /** Minimum bytes for starting a task. */
  private static final int STEP = 1024 * 1024;

  private final Path file;
  private final Executor executor;
  private final Sha256.Running digest = new Sha256.Running();
  private final ReentrantLock reading = new ReentrantLock();
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile long written;
  private volatile long digested;
  private volatile @Nullable FileChannel channel;
  private volatile boolean closed;
  private @Nullable IOException failure;
  private @Nullable Sha256 finished;

  /** Creates the digest. The file is opened when the first task runs. */
  TrailingDigest(Path file, Executor executor) {
    this.file = file;
    this.executor = executor;
  }

  /** Reports that the file now has this many bytes. */
  void wrote(long bytes) {
    written = bytes;
    if (bytes - digested >= STEP && busy.compareAndSet(false, true)) {
      try {
        executor.execute(this::step);
      } catch (RejectedExecutionException e) {
        // finish() reads the rest.
        busy.set(false);
      }
    }
  }

  private void step() {
    reading.lock();
    try {
      while (failure == null && written - digested >= STEP) {
        read();
      }
    } finally {
      // Bytes that are written from here on start the next task.
      busy.set(false);
      reading.unlock();
    }
  }

  private void read() {
    try {
      long end = written;
      digested = digest.read(channel(), digested, end);
      if (digested < end) {
        throw new EOFException("the file was cut while it was written");
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private FileChannel channel() throws IOException {
    FileChannel open = channel;
    if (open == null) {
      open = FileChannel.open(file);
      channel = open;
      if (closed) {
        open.close();
      }
    }
    return open;
  }

  /**
   * Reads the rest of the file and returns the digest. Called again, it returns the same.
   *
   * @throws IOException if the file cannot be read, or is shorter than what was written
   */
  Sha256 finish() throws IOException {
    try {
      reading.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    }
    try {
      Sha256 known = finished;
      if (known != null) {
        return known;
      }
      if (failure == null) {
        read();
      }
      if (failure != null) {
        throw failure;
      }
      Sha256 complete = digest.finish();
      finished = complete;
      return complete;
    } finally {
      reading.unlock();
    }
  }

  /** Closes the file, which ends a running task. */
  @Override
  public void close() throws IOException {
    closed = true;
    FileChannel open = channel;
    if (open != null) {
      open.close();
    }
  }
}
