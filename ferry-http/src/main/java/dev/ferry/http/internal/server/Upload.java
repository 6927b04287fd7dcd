package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.Sha256;
import dev.ferry.http.internal.Closing;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The body of one {@code PUT} on its way to the disk: pieces are queued as they arrive, and written
 * by a worker, many in one call.
 *
 * <p>{@link #receive} and {@link #abort} are for the event loop; the outcome is heard on a worker,
 * once, unless the upload was aborted.
 */
public final class Upload {
  /** Below this a write costs more than the network does. */
  private static final int GATHER_BYTES = 256 * 1024;

  /** The socket is not read while this much waits for the disk. */
  private static final int HIGH_WATER = 1024 * 1024;

  /**
   * Pieces that are written however small they are, and at which the socket is not read: each may
   * keep a whole read buffer.
   */
  private static final int GATHER_PIECES = 256;

  private static final int HIGH_PIECES = 4 * GATHER_PIECES;

  /** Hears how an upload ends, and when it may go on. */
  public interface Listener {
    /** More may be received. */
    void resume();

    /** The file stands under its name. */
    void stored(FileFacts facts);

    /** Nothing of the file is left. */
    void failed(Throwable failure);
  }

  private final FileSink sink;
  private final @Nullable GzipDecoder decoder;
  private final long expectedSize;
  private final @Nullable Sha256 expectedDigest;
  private final Executor workers;
  private final Listener listener;

  private final Object lock = new Object();
  private List<ByteBuf> pieces = new ArrayList<>();
  private int queued;
  private boolean running;
  private boolean ended;
  private boolean stopped;
  private boolean paused;

  /**
   * @param sink owned from now on: committed or closed
   * @param name what its user calls the file
   * @param gzip whether the body is compressed
   * @param expectedSize announced bytes of the file; negative where unknown
   */
  public Upload(
      FileSink sink,
      String name,
      boolean gzip,
      long expectedSize,
      @Nullable Sha256 expectedDigest,
      Executor workers,
      Listener listener) {
    this.sink = sink;
    this.decoder = gzip ? new GzipDecoder(name, sink, GATHER_BYTES) : null;
    this.expectedSize = expectedSize;
    this.expectedDigest = expectedDigest;
    this.workers = workers;
    this.listener = listener;
  }

  /**
   * Takes a piece of the body, and its ownership.
   *
   * @return whether more may be read before {@link Listener#resume}
   */
  public boolean receive(ByteBuf piece, boolean last) {
    boolean start;
    boolean more;
    synchronized (lock) {
      if (stopped) {
        piece.release();
        return true;
      }
      pieces.add(piece);
      queued += piece.readableBytes();
      ended = last;
      start = !running && (last || enough());
      running |= start;
      more = queued < HIGH_WATER && pieces.size() < HIGH_PIECES;
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

  /** Whether a write is worth it, or due: small pieces keep large buffers. Under the lock. */
  private boolean enough() {
    return queued >= GATHER_BYTES || pieces.size() >= GATHER_PIECES;
  }

  /** Whether what has arrived is being written or checked now. */
  public boolean busy() {
    synchronized (lock) {
      return running;
    }
  }

  /** Gives the upload up, whatever it is at; what was stored already stays. */
  public void abort() {
    boolean idle;
    synchronized (lock) {
      idle = !running && !stopped;
      stopped = true;
    }
    if (idle) {
      discard();
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
          batch = pieces;
          pieces = new ArrayList<>();
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
          batch.forEach(ByteBuf::release);
        }
        if (last) {
          commit();
          return;
        }
      }
      discard();
    } catch (FerryException | RuntimeException | Error e) {
      // An error too: the client waits for an answer, and the temporary file for its end.
      discard();
      listener.failed(e);
    }
  }

  private void write(List<ByteBuf> batch) throws FerryException {
    if (decoder != null) {
      for (ByteBuf piece : batch) {
        for (ByteBuffer part : piece.nioBuffers()) {
          decoder.decode(part);
        }
      }
      return;
    }
    List<ByteBuffer> parts = new ArrayList<>(batch.size());
    for (ByteBuf piece : batch) {
      parts.addAll(List.of(piece.nioBuffers()));
    }
    sink.write(parts.toArray(ByteBuffer[]::new), 0, parts.size());
  }

  private void commit() throws FerryException {
    if (decoder != null) {
      decoder.finish();
    }
    FileFacts facts = sink.commit(expectedSize, expectedDigest);
    discard();
    listener.stored(facts);
  }

  /** Releases what is held; of a sink that was committed nothing is undone. */
  private void discard() {
    synchronized (lock) {
      stopped = true;
      pieces.forEach(ByteBuf::release);
      pieces = new ArrayList<>();
      queued = 0;
    }
    if (decoder != null) {
      decoder.close();
    }
    Closing.quietly(sink);
  }
}
