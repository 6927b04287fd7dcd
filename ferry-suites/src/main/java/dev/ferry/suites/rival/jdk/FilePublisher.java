package dev.ferry.suites.rival.jdk;

import dev.ferry.suites.rival.Buffers;
import dev.ferry.suites.rival.SentFile;
import java.io.IOException;
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
  private final SentFile file;
  private final @Nullable Buffers reused;
  private volatile @Nullable BodySubscription last;

  /**
   * @param reused the pool of direct buffers; null allocates a new heap buffer each time
   */
  FilePublisher(SentFile file, @Nullable Buffers reused) {
    this.file = file;
    this.reused = reused;
  }

  @Override
  public long contentLength() {
    return file.length();
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    file.restart();
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
      } catch (IOException | RuntimeException e) {
        end();
        subscriber.onError(e);
      } finally {
        publishing = false;
      }
    }

    private void publish() throws IOException {
      ByteBuffer buffer = takeBuffer();
      boolean whole = file.fill(buffer);
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
        long left = file.length() < 0 ? Long.MAX_VALUE : file.length() - file.sent();
        return ByteBuffer.allocate((int) Math.min(file.bufferSize(), left));
      }
      for (ByteBuffer buffer : buffers) {
        if (!buffer.hasRemaining()) {
          return buffer.clear();
        }
      }
      ByteBuffer buffer = reused.take(file.bufferSize());
      buffers.add(buffer);
      return buffer;
    }

    private void end() {
      ended = true;
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
