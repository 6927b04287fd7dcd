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
 * The SHA-256 of a file that is still being written, always from its beginning to its end: each
 * part is read back from the file soon after it was written, on other threads than the writer's.
 *
 * <p>No thread waits for bytes to come: a task is run when enough of them are there, one at a time.
 * {@link #wrote} is for the writer's thread, {@link #finish} for any one.
 */
final class TrailingDigest implements AutoCloseable {
  /** Bytes that are worth a task. */
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

  /** Starts; opens the file when there is something to read. */
  TrailingDigest(Path file, Executor executor) {
    this.file = file;
    this.executor = executor;
  }

  /** So many bytes are in the file. */
  void wrote(long bytes) {
    written = bytes;
    if (bytes - digested >= STEP && busy.compareAndSet(false, true)) {
      try {
        executor.execute(this::step);
      } catch (RejectedExecutionException e) {
        // Whoever asks for the digest computes it.
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
      // What the writer adds from here on starts the next task.
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
   * The digest of all that was written; reads the rest of it first.
   *
   * @throws IOException if the file cannot be read, or ends before what was written
   */
  Sha256 finish() throws IOException {
    try {
      reading.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    }
    try {
      if (failure == null) {
        read();
      }
      if (failure != null) {
        throw failure;
      }
      return digest.finish();
    } finally {
      reading.unlock();
    }
  }

  /** Ends a task that is running. */
  @Override
  public void close() throws IOException {
    closed = true;
    FileChannel open = channel;
    if (open != null) {
      open.close();
    }
  }
}
