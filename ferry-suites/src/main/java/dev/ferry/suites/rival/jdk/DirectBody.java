package dev.ferry.suites.rival.jdk;

import static java.util.Objects.requireNonNull;

import dev.ferry.suites.rival.HttpExchange;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the buffers that java.net.http has read, without a copy and without a thread switch,
 * several at once.
 */
final class DirectBody implements BodySubscriber<Void> {
  /** Below this size the overhead of a write dominates. HTTP/2 frames have 16 KiB by default. */
  private static final int GATHER_BYTES = 256 * 1024;

  private final HttpExchange exchange;
  private final CompletableFuture<Void> written = new CompletableFuture<>();
  private final List<ByteBuffer> pending = new ArrayList<>();
  private int pendingBytes;
  private Flow.@Nullable Subscription body;

  DirectBody(HttpExchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public CompletionStage<Void> getBody() {
    return written;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    body = subscription;
    subscription.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      pending.add(buffer);
      pendingBytes += buffer.remaining();
    }
    if (pendingBytes < GATHER_BYTES || write()) {
      requireNonNull(body).request(1);
    }
  }

  /** Passes on what there is, and returns whether that has worked. */
  private boolean write() {
    try {
      exchange.write(pending.toArray(ByteBuffer[]::new));
    } catch (IOException | RuntimeException e) {
      written.completeExceptionally(e);
      requireNonNull(body).cancel();
      return false;
    }
    pending.clear();
    pendingBytes = 0;
    return true;
  }

  @Override
  public void onError(Throwable failure) {
    written.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    if (pendingBytes == 0 || write()) {
      written.complete(null);
    }
  }
}
