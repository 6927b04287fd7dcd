package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.suites.rival.QueuedBody;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * The response to one request of Armeria's client; its body goes to a queue in the buffers that it
 * was read into: no more of them than were requested.
 */
final class ArmeriaExchange implements Subscriber<HttpObject> {
  /** Buffers of a download that wait for the file. */
  private static final int AHEAD = 16;

  /** Each request of more wakes the event loop. */
  private static final int AT_ONCE = AHEAD / 2;

  private final HttpProtocol protocol;
  private final CompletableFuture<IncomingResponse> head = new CompletableFuture<>();
  private final QueuedBody body = new QueuedBody(bytes -> taken(), this::cut);
  private final AtomicInteger owed = new AtomicInteger();
  private volatile @Nullable HttpResponse response;
  private volatile @Nullable Subscription subscription;

  ArmeriaExchange(HttpProtocol protocol) {
    this.protocol = protocol;
  }

  /** The head of the response, with its body. */
  CompletableFuture<IncomingResponse> head() {
    return head;
  }

  /** The request is under way. */
  void begin(HttpResponse begun) {
    response = begun;
    begun.subscribe(
        this, begun.defaultSubscriberExecutor(), SubscriptionOption.WITH_POOLED_OBJECTS);
  }

  /** Ends the exchange and releases its unread buffers. Called on any thread. */
  void abort() {
    try {
      body.close();
    } finally {
      cut();
    }
  }

  /**
   * Runs on the event loop, because Armeria leaks buffers that it reads while another thread
   * aborts.
   */
  private void cut() {
    HttpResponse begun = response;
    if (begun == null) {
      return;
    }
    try {
      begun.defaultSubscriberExecutor().execute(begun::abort);
    } catch (RejectedExecutionException e) {
      // The loop has ended: it reads nothing any more.
      begun.abort();
    }
  }

  /** The body to send cannot be read, or the response was cut. */
  void fail(Throwable cause) {
    body.fail(cause);
    if (head.completeExceptionally(cause)) {
      // The body has no reader any more.
      abort();
    }
  }

  @Override
  public void onSubscribe(Subscription begun) {
    subscription = begun;
    begun.request(AHEAD);
  }

  @Override
  public void onNext(HttpObject object) {
    if (object instanceof HttpData data) {
      body.push(data.byteBuf().nioBuffer(), data::close);
      return;
    }
    if (object instanceof ResponseHeaders headers && !headers.status().isInformational()) {
      head.complete(new IncomingResponse(headers.status().code(), headers::get, protocol, body));
    }
    taken();
  }

  private void taken() {
    Subscription begun = subscription;
    int now = owed.incrementAndGet();
    if (begun != null && now >= AT_ONCE && owed.compareAndSet(now, 0)) {
      begun.request(now);
    }
  }

  @Override
  public void onError(Throwable cause) {
    fail(cause);
  }

  @Override
  public void onComplete() {
    body.end();
  }
}
