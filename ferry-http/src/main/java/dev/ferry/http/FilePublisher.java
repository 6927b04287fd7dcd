package dev.ferry.http;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A file as the body of a request, plain or compressed, in pieces of the chunk size, each filled
 * before it is published.
 *
 * <p>The JDK's own publishers make a new heap buffer for every 16 KiB. This one takes a buffer anew
 * when the client has consumed it, which shows in its position: as a rule it makes one or two. The
 * last piece is held back until the file was found unchanged, so a file that changed never arrives
 * whole.
 */
final class FilePublisher implements BodyPublisher {
  private final FileSource source;
  private final TransferOptions options;
  private final DirectBuffers pool;
  private volatile @Nullable Pieces last;

  /**
   * @param source stays the caller's to close, after the request has ended
   */
  FilePublisher(FileSource source, TransferOptions options, DirectBuffers pool) {
    this.source = source;
    this.options = options;
    this.pool = pool;
  }

  @Override
  public long contentLength() {
    return options.gzip() ? -1 : source.facts().size();
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    Pieces pieces = new Pieces(subscriber);
    last = pieces;
    subscriber.onSubscribe(pieces);
  }

  /** Bytes published, of the file or of its compressed form. */
  long published() {
    Pieces pieces = last;
    return pieces == null ? 0 : pieces.published();
  }

  /** Gives the buffers back; only after the whole body was sent and answered. */
  void recycle() {
    Pieces pieces = last;
    if (pieces != null) {
      pieces.recycle();
    }
  }

  private final class Pieces implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final @Nullable GzipEncoder encoder;
    private final long size = source.facts().size();
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private long position;
    private long published;
    private long demand;
    private boolean publishing;
    private boolean ended;

    Pieces(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
      this.encoder = options.gzip() ? new GzipEncoder(source, options.chunkSize()) : null;
      options.progress().update(0, size);
    }

    @Override
    public synchronized void request(long n) {
      demand = n > Long.MAX_VALUE - demand ? Long.MAX_VALUE : demand + n;
      // The subscriber may ask for more from within onNext.
      if (publishing) {
        return;
      }
      publishing = true;
      try {
        while (demand > 0 && !ended) {
          demand--;
          publish();
        }
      } catch (FerryException | RuntimeException e) {
        end();
        subscriber.onError(e);
      } finally {
        publishing = false;
      }
    }

    private void publish() throws FerryException {
      ByteBuffer buffer = takeBuffer();
      boolean whole = fill(buffer);
      if (whole) {
        source.verifyUnchanged();
      }
      buffer.flip();
      published += buffer.remaining();
      options.progress().update(position, size);
      if (buffer.hasRemaining()) {
        subscriber.onNext(buffer);
      }
      if (whole && !ended) {
        end();
        subscriber.onComplete();
      }
    }

    private boolean fill(ByteBuffer buffer) throws FerryException {
      if (encoder != null) {
        boolean whole = encoder.fill(buffer);
        position = encoder.position();
        return whole;
      }
      buffer.limit((int) Math.min(buffer.capacity(), size - position));
      source.readFully(buffer, position);
      position += buffer.position();
      return position == size;
    }

    private ByteBuffer takeBuffer() {
      for (ByteBuffer buffer : buffers) {
        if (!buffer.hasRemaining()) {
          return buffer.clear();
        }
      }
      ByteBuffer buffer = pool.take(options.chunkSize());
      buffers.add(buffer);
      return buffer;
    }

    private void end() {
      ended = true;
      if (encoder != null) {
        encoder.close();
      }
    }

    @Override
    public synchronized void cancel() {
      if (!ended) {
        end();
      }
    }

    synchronized long published() {
      return published;
    }

    synchronized void recycle() {
      pool.give(buffers);
      buffers.clear();
    }
  }
}
