package dev.ferry.suites.rival.jdk;

import dev.ferry.core.FerryException;
import dev.ferry.http.internal.CopyBuffers;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.Payload;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A file as the request body of java.net.http. Each buffer is filled completely before it is
 * published.
 *
 * <p>The JDK's publishers allocate a new heap buffer per 16 KiB. With reused buffers, this
 * publisher refills a buffer after the client has consumed it. The position of the buffer shows
 * this. Usually one or two buffers suffice.
 */
final class FilePublisher implements BodyPublisher {
  private final Payload payload;
  private final @Nullable CopyBuffers reused;
  private volatile @Nullable BodySubscription last;

  /**
   * @param reused the pool of direct buffers; null allocates a new heap buffer each time
   */
  FilePublisher(Payload payload, @Nullable CopyBuffers reused) {
    this.payload = payload;
    this.reused = reused;
  }

  @Override
  public long contentLength() {
    return payload.length();
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    BodySubscription subscription = new BodySubscription(subscriber);
    last = subscription;
    subscriber.onSubscribe(subscription);
  }

  /**
   * Returns the buffers to the pool. Call this only after the whole body was sent and a response
   * has arrived.
   */
  void recycle() {
    BodySubscription subscription = last;
    if (subscription != null) {
      subscription.recycle();
    }
  }

  private final class BodySubscription implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final FileBody body = payload.open();
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private long demand;
    private boolean publishing;
    private boolean ended;

    BodySubscription(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public synchronized void request(long n) {
      demand = n > Long.MAX_VALUE - demand ? Long.MAX_VALUE : demand + n;
      // The subscriber may request more from within onNext.
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
      boolean whole = body.fill(buffer);
      buffer.flip();
      if (buffer.hasRemaining()) {
        subscriber.onNext(buffer);
      }
      if (whole && !ended) {
        end();
        subscriber.onComplete();
      }
    }

    private ByteBuffer takeBuffer() {
      if (reused == null) {
        // Allocates no more than the remaining bytes: for a small file the buffer is most of the
        // allocated memory.
        long left = payload.length() < 0 ? Long.MAX_VALUE : payload.length() - body.produced();
        return ByteBuffer.allocate((int) Math.min(payload.bufferSize(), left));
      }
      for (ByteBuffer buffer : buffers) {
        if (!buffer.hasRemaining()) {
          return buffer.clear();
        }
      }
      ByteBuffer buffer = reused.take(payload.bufferSize());
      buffers.add(buffer);
      return buffer;
    }

    private void end() {
      ended = true;
      body.close();
    }

    @Override
    public synchronized void cancel() {
      end();
    }

    synchronized void recycle() {
      if (reused != null) {
        buffers.forEach(reused::give);
      }
      buffers.clear();
    }
  }
}
