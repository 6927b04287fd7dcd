package dev.ferry.suites.rival.apache;

import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.suites.rival.QueuedBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.nio.AsyncResponseConsumer;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.H2StreamResetException;
import org.jspecify.annotations.Nullable;

/** The response to one asynchronous request of Apache's client; its body goes to a queue. */
final class ApacheResponse implements AsyncResponseConsumer<Boolean> {
  private final CompletableFuture<IncomingResponse> head = new CompletableFuture<>();
  private final QueuedBody body = new QueuedBody(this::consumed, this::cancel);
  private volatile @Nullable Future<?> sent;
  private @Nullable FutureCallback<Boolean> result;
  private @Nullable CapacityChannel window;
  private int consumed;
  private volatile boolean cancelled;

  /** The head of the response, with its body. */
  CompletableFuture<IncomingResponse> head() {
    return head;
  }

  /** The request is under way. */
  void begun(Future<?> request) {
    sent = request;
  }

  /** Ends the exchange. */
  void cancel() {
    cancelled = true;
    Future<?> request = sent;
    if (request != null) {
      request.cancel(true);
    }
    // The future of the request that opened the connection ends nothing: the next byte does.
    consumed(1);
  }

  @Override
  public void consumeResponse(
      HttpResponse response,
      @Nullable EntityDetails entity,
      HttpContext context,
      FutureCallback<Boolean> callback) {
    ProtocolVersion version = response.getVersion();
    HttpProtocol protocol =
        version != null && version.getMajor() == 2 ? HttpProtocol.H2C : HttpProtocol.HTTP_1_1;
    result = callback;
    if (entity == null) {
      streamEnd(null);
    }
    head.complete(
        new IncomingResponse(
            response.getCode(),
            name -> {
              Header field = response.getFirstHeader(name);
              return field == null ? null : field.getValue();
            },
            protocol,
            body));
  }

  @Override
  public void informationResponse(HttpResponse response, HttpContext context) {}

  @Override
  public synchronized void updateCapacity(CapacityChannel channel) throws IOException {
    window = channel;
    giveBack();
  }

  private synchronized void consumed(int bytes) {
    consumed += bytes;
    try {
      giveBack();
    } catch (IOException e) {
      body.fail(e);
    }
  }

  private void giveBack() throws IOException {
    if (window != null && consumed > 0) {
      int bytes = consumed;
      consumed = 0;
      window.update(bytes);
    }
  }

  @Override
  public void consume(ByteBuffer source) throws IOException {
    if (cancelled) {
      throw new H2StreamResetException(H2Error.CANCEL, "the call was given up");
    }
    // The client reads into that buffer again.
    ByteBuffer copy = ByteBuffer.allocate(source.remaining()).put(source).flip();
    body.push(copy, () -> {});
  }

  @Override
  public void streamEnd(@Nullable List<? extends Header> trailers) {
    body.end();
    FutureCallback<Boolean> callback = result;
    if (callback != null) {
      // Not before: an exchange that is complete cannot be cancelled.
      callback.completed(true);
    }
  }

  @Override
  public void failed(Exception cause) {
    head.completeExceptionally(cause);
    body.fail(cause);
  }

  @Override
  public void releaseResources() {
    // After a failure or an end it says nothing new.
    failed(new IOException("the exchange was given up"));
  }
}
