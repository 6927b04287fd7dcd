package dev.ferry.http.internal.server;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.Retries;
import dev.ferry.http.internal.Closing;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The body of one {@code PUT}. Buffers are queued as they arrive, and a worker writes many of them
 * in one call.
 *
 * <p>{@link #receive} and {@link #abort} must be called on the event loop. The result is reported
 * once, on a worker, unless the upload was aborted. The sink is called on workers.
 */
public final class BodyReceiver {
  /** Below this size a write costs more than the network. */
  private static final int GATHER_BYTES = 256 * 1024;

  /** Queued bytes above which the socket is not read. */
  private static final int HIGH_WATER = 1024 * 1024;

  /**
   * Queued buffers that trigger a write regardless of their size, because each buffer may retain a
   * whole read buffer. At {@link #HIGH_BUFFERS} buffers the socket is not read.
   */
  private static final int GATHER_BUFFERS = 256;

  private static final int HIGH_BUFFERS = 4 * GATHER_BUFFERS;

  /** Receives the result of an upload, and when it may continue. */
  public interface Listener {
    /** Called when more data may be received. */
    void resume();

    /** Called when the file is stored under its name. */
    void stored(FileFacts facts);

    /**
     * Called when the body of an upload that is {@linkplain BodyReceiver#keeping kept} has arrived.
     *
     * @param received bytes that are there of the file
     */
    default void kept(long received) {}

    /** Called on failure, after the partial file was deleted. */
    void failed(Throwable failure);
  }

  private final FileSink sink;
  private final @Nullable GzipDecoder decoder;
  private final long expectedSize;
  private final @Nullable Digest expectedDigest;

  /** Set before the last buffer is received, and read after it. */
  private Retries.@Nullable Call<Digest> following;

  private final Executor workers;
  private final Listener listener;

  private final Object lock = new Object();
  private List<ByteBuf> buffers = new ArrayList<>();
  private int queued;
  private boolean running;
  private boolean ended;
  private boolean stopped;
  private boolean paused;
  private boolean keeps;
  private volatile long written;

  /**
   * @param sink the target; this object takes ownership and commits or closes it
   * @param name the name of the file, for messages
   * @param gzip whether the body is compressed
   * @param expectedSize the announced size of the file in bytes; negative if unknown
   */
  public BodyReceiver(
      FileSink sink,
      String name,
      boolean gzip,
      long expectedSize,
      @Nullable Digest expectedDigest,
      Executor workers,
      Listener listener) {
    this.sink = sink;
    this.decoder = gzip ? new GzipDecoder(name, sink, GATHER_BYTES) : null;
    this.expectedSize = expectedSize;
    this.expectedDigest = expectedDigest;
    this.workers = workers;
    this.listener = listener;
  }

  /** Keeps what has arrived at the end of the body, which is not the end of the file. */
  BodyReceiver keeping() {
    keeps = true;
    return this;
  }

  /** Has the file compared with a digest that has arrived. Called before the last buffer. */
  void follow(Retries.Call<Digest> digest) {
    following = digest;
  }

  /**
   * Receives the next buffer of the body and takes ownership of it.
   *
   * @return whether more may be read before {@link Listener#resume}
   */
  public boolean receive(ByteBuf buffer, boolean last) {
    boolean start;
    boolean more;
    synchronized (lock) {
      if (stopped) {
        buffer.release();
        return true;
      }
      buffers.add(buffer);
      queued += buffer.readableBytes();
      ended = last;
      start = !running && (last || enough());
      running |= start;
      more = queued < HIGH_WATER && buffers.size() < HIGH_BUFFERS;
      paused = !more;
    }
    if (start) {
      try {
        workers.execute(this::drain);
      } catch (RejectedExecutionException e) {
        discard();
      }
    }
    return more;
  }

  /**
   * Returns whether the queue is large enough for a write or retains too many buffers. Called under
   * the lock.
   */
  private boolean enough() {
    return queued >= GATHER_BYTES || buffers.size() >= GATHER_BUFFERS;
  }

  /** Returns whether received data is being written or checked. */
  public boolean busy() {
    synchronized (lock) {
      return running;
    }
  }

  /** Returns the bytes of the file that were written so far. */
  long written() {
    return written;
  }

  /** Aborts the upload in any state. A file that is already stored stays. */
  public void abort() {
    boolean idle;
    synchronized (lock) {
      idle = !running && !stopped;
      stopped = true;
    }
    if (idle) {
      Closing.on(workers, this::discard);
    }
  }

  private void drain() {
    try {
      while (true) {
        List<ByteBuf> batch;
        boolean last;
        boolean resume;
        synchronized (lock) {
          if (stopped) {
            break;
          }
          if (!ended && !enough()) {
            running = false;
            return;
          }
          batch = buffers;
          buffers = new ArrayList<>();
          queued = 0;
          last = ended;
          resume = paused && !last;
          paused = false;
        }
        try {
          if (resume) {
            listener.resume();
          }
          write(batch);
        } finally {
          written = sink.written();
          batch.forEach(ByteBuf::release);
        }
        if (last) {
          commit();
          return;
        }
      }
      discard();
    } catch (FerryException | RuntimeException | Error e) {
      // Catches errors too: the client waits for a response, and the temporary file must be
      // deleted.
      discard();
      listener.failed(e);
    }
  }

  private void write(List<ByteBuf> batch) throws FerryException {
    if (decoder != null) {
      for (ByteBuf buffer : batch) {
        for (ByteBuffer part : buffer.nioBuffers()) {
          decoder.decode(part);
        }
      }
      return;
    }
    List<ByteBuffer> parts = new ArrayList<>(batch.size());
    for (ByteBuf buffer : batch) {
      parts.addAll(List.of(buffer.nioBuffers()));
    }
    sink.write(parts.toArray(ByteBuffer[]::new), 0, parts.size());
  }

  private void commit() throws FerryException {
    if (decoder != null) {
      decoder.finish();
      written = sink.written();
    }
    if (keeps) {
      long received = sink.written();
      discard();
      listener.kept(received);
      return;
    }
    Retries.Call<Digest> followed = following;
    Digest digest = followed == null ? expectedDigest : followed.run();
    FileFacts facts = sink.commit(expectedSize, digest);
    discard();
    listener.stored(facts);
  }

  /** Releases the queued buffers and the sink. A committed file stays, and what the sink keeps. */
  private void discard() {
    synchronized (lock) {
      stopped = true;
      buffers.forEach(ByteBuf::release);
      buffers = new ArrayList<>();
      queued = 0;
    }
    if (decoder != null) {
      decoder.close();
    }
    Closing.quietly(sink);
  }
}
