package dev.ferry.grpc.internal.message;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Takes the messages of another feed ahead, on a worker, and returns them in order. The thread that
 * sends then does not wait for the disk, nor for a digest that is computed over what is read.
 * Thread-safe; one worker at a time uses the other feed.
 */
public final class AheadFeed implements ChunkFeed {
  /** Payload bytes that wait to be sent at most, beside one message. */
  static final long BYTES_AHEAD = 1024 * 1024;

  /** A message that waits, and what the other feed has returned with it. */
  private record Taken(ChunkMessage message, long position, long untracedBytes) {}

  private final ChunkFeed feed;
  private final Executor workers;
  private final Runnable onReady;
  private final Queue<Taken> taken = new ArrayDeque<>();

  /** Whether a worker uses the other feed, or will. */
  private boolean reading;

  private boolean readAll;
  private boolean closed;
  private long read;
  private long position;
  private long untraced;
  private @Nullable FerryException failure;

  /**
   * Creates a feed. Nothing is read before the first call of {@link #next}.
   *
   * @param feed the other feed, which reads a message in each call
   * @param onReady runs on a worker when {@link #next} may return a message
   */
  public AheadFeed(ChunkFeed feed, Executor workers, Runnable onReady) {
    this.feed = feed;
    this.workers = workers;
    this.onReady = onReady;
    this.readAll = feed.ended();
  }

  @Override
  public synchronized boolean ended() {
    return readAll && taken.isEmpty();
  }

  @Override
  public synchronized @Nullable ChunkMessage next() throws FerryException {
    startReading();
    Taken next = taken.poll();
    if (next != null) {
      position = next.position();
      untraced = next.untracedBytes();
      return next.message();
    }
    if (failure != null) {
      throw failure;
    }
    return null;
  }

  private void startReading() {
    if (reading || readAll || closed || failure != null || read - position > BYTES_AHEAD / 2) {
      return;
    }
    reading = true;
    submit();
  }

  private synchronized void submit() {
    try {
      workers.execute(this::read);
    } catch (RejectedExecutionException e) {
      reading = false;
      failure = CompressionWorkers.closing(e);
    }
  }

  private synchronized boolean hasFailed() {
    return failure != null && !closed;
  }

  /** Reads {@link #BYTES_AHEAD}, and leaves the rest to a later turn: others wait for a worker. */
  private void read() {
    long end = bytesRead() + BYTES_AHEAD;
    boolean more = true;
    while (more && bytesRead() < end) {
      more = readNext();
    }
    if (more) {
      submit();
      if (hasFailed()) {
        onReady.run();
      }
    }
  }

  private synchronized long bytesRead() {
    return read;
  }

  private boolean readNext() {
    ChunkMessage message = null;
    FerryException thrown = null;
    try {
      message = feed.next();
    } catch (FerryException e) {
      thrown = e;
    } catch (RuntimeException | Error e) {
      // Also an Error, for instance no direct memory: the sender must fail and not wait forever.
      thrown = new FerryException(ErrorKind.INTERNAL, "a chunk cannot be read: " + e, e);
    }
    boolean more;
    boolean first;
    synchronized (this) {
      first = taken.isEmpty() && !closed;
      take(message);
      failure = thrown;
      readAll = thrown == null && feed.ended();
      more = thrown == null && !readAll && !closed && read - position < BYTES_AHEAD;
      reading = more;
    }
    if (first) {
      onReady.run();
    }
    return more;
  }

  private void take(@Nullable ChunkMessage message) {
    if (message == null) {
      return;
    }
    if (closed) {
      message.release();
      return;
    }
    read = feed.position();
    taken.add(new Taken(message, read, feed.untracedBytes()));
  }

  @Override
  public synchronized long position() {
    return position;
  }

  @Override
  public synchronized long untracedBytes() {
    return untraced;
  }

  /** Releases what was not sent. A worker may still read the file for a moment. */
  @Override
  public synchronized void close() {
    closed = true;
    taken.forEach(waiting -> waiting.message().release());
    taken.clear();
  }
}
