package dev.ferry.web;

import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** A stream that is passed on as it is, while {@link Waiting} hears of its pieces. */
final class WatchedStream<T> implements StreamMessage<T> {
  private final StreamMessage<T> stream;
  private final Waiting waiting;
  private final boolean request;

  private WatchedStream(StreamMessage<T> stream, Waiting waiting, boolean request) {
    this.stream = stream;
    this.waiting = waiting;
    this.request = request;
  }

  /** What the client sends. */
  static <T> WatchedStream<T> ofRequest(StreamMessage<T> stream, Waiting waiting) {
    return new WatchedStream<>(stream, waiting, true);
  }

  /** What the client is sent. */
  static <T> WatchedStream<T> ofResponse(StreamMessage<T> stream, Waiting waiting) {
    return new WatchedStream<>(stream, waiting, false);
  }

  @Override
  public boolean isOpen() {
    return stream.isOpen();
  }

  @Override
  public boolean isEmpty() {
    return stream.isEmpty();
  }

  @Override
  public long demand() {
    return stream.demand();
  }

  @Override
  public CompletableFuture<Void> whenComplete() {
    return stream.whenComplete();
  }

  @Override
  public EventExecutor defaultSubscriberExecutor() {
    return stream.defaultSubscriberExecutor();
  }

  @Override
  public void abort() {
    stream.abort();
  }

  @Override
  public void abort(Throwable cause) {
    stream.abort(cause);
  }

  @Override
  public void subscribe(
      Subscriber<? super T> subscriber, EventExecutor executor, SubscriptionOption... options) {
    stream.subscribe(new Watcher(subscriber), executor, options);
  }

  private final class Watcher implements Subscriber<T>, Subscription {
    private final Subscriber<? super T> subscriber;
    private @Nullable Subscription upstream;

    Watcher(Subscriber<? super T> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      upstream = subscription;
      subscriber.onSubscribe(this);
    }

    @Override
    public void request(long pieces) {
      if (request) {
        waiting.wants(pieces);
      } else {
        waiting.taken();
      }
      if (upstream != null) {
        upstream.request(pieces);
      }
    }

    @Override
    public void cancel() {
      end();
      if (upstream != null) {
        upstream.cancel();
      }
    }

    @Override
    public void onNext(T piece) {
      if (request) {
        waiting.got();
      } else {
        waiting.gives();
      }
      subscriber.onNext(piece);
    }

    @Override
    public void onError(Throwable cause) {
      end();
      subscriber.onError(cause);
    }

    @Override
    public void onComplete() {
      end();
      subscriber.onComplete();
    }

    /** The end of an answer is yet to be taken: that it was, the end of the request tells. */
    private void end() {
      if (request) {
        waiting.gotAll();
      } else {
        waiting.gives();
      }
    }
  }
}
