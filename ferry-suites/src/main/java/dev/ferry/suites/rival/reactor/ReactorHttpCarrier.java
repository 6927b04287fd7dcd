package dev.ferry.suites.rival.reactor;

import dev.ferry.core.FerryException;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.HttpCarrier;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.http.internal.Payload;
import dev.ferry.suites.rival.QueuedBody;
import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2StreamChannel;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClient.ResponseReceiver;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/**
 * Files over reactor-netty's client, HTTP/1.1 or HTTP/2 by prior knowledge. Its event loops read
 * the socket, and uploads up to two buffers ahead of the socket. The caller's thread writes
 * downloads to the file, from the buffers they were read into.
 *
 * <p>After an interrupt the calling thread's interrupt status is set. Thread-safe.
 */
public final class ReactorHttpCarrier extends HttpCarrier {
  private static final int CONNECTIONS = 256;

  /** Buffers of a download that wait for the file. */
  private static final int AHEAD = 16;

  private static final int TUNED_WINDOW = 16 * 1024 * 1024;
  private static final Duration STOP = Duration.ofSeconds(2);

  private final LoopResources loops =
      LoopResources.create("ferry-reactor", LoopResources.DEFAULT_IO_WORKER_COUNT, true);
  private final ConnectionProvider connections =
      ConnectionProvider.builder("ferry-reactor").maxConnections(CONNECTIONS).build();
  private final HttpClient client;

  /**
   * Connects, lazily, in plain text, with the defaults of reactor-netty, among them windows of 64
   * KiB over HTTP/2; buffers of the chunk size. Tuned, it is as fast as its options make it: reads
   * of up to 512 KiB, a socket that takes a mebibyte at once, over HTTP/2 frames of 256 KiB and
   * windows of 16 MiB, no second attempts; buffers of 256 KiB at least.
   *
   * @param host a name or an address
   * @param tuned whether it is set up for speed
   */
  public ReactorHttpCarrier(String host, int port, HttpProtocol protocol, boolean tuned) {
    super(host, port, "reactor", tuned);
    HttpClient plain =
        HttpClient.create(connections)
            .runOn(loops)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(CONNECT_TIMEOUT.toMillis()))
            .protocol(
                protocol == HttpProtocol.H2C
                    ? reactor.netty.http.HttpProtocol.H2C
                    : reactor.netty.http.HttpProtocol.HTTP11);
    client = tuned ? tune(plain, protocol) : plain;
  }

  private static HttpClient tune(HttpClient client, HttpProtocol protocol) {
    HttpClient tuned =
        client
            .disableRetry(true)
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(16 * 1024, TUNED_BYTES, 2 * TUNED_BYTES))
            .option(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(2 * TUNED_BYTES, 4 * TUNED_BYTES));
    return protocol == HttpProtocol.H2C
        ? tuned.http2Settings(
            settings -> settings.initialWindowSize(TUNED_WINDOW).maxFrameSize(TUNED_BYTES))
        : tuned;
  }

  @Override
  protected IncomingResponse send(Call call, OutgoingRequest outgoing) throws FerryException {
    requireOpen();
    Exchange exchange = new Exchange();
    // Releases the rest of a response that is no longer wanted.
    call.during(exchange.body);
    return call.await(
        () -> {
          request(outgoing).responseConnection(exchange::begin).subscribe(exchange);
          return exchange.head;
        });
  }

  private ResponseReceiver<?> request(OutgoingRequest outgoing) {
    Payload payload = outgoing.payload();
    HttpClient.RequestSender request =
        client
            .headers(
                fields -> {
                  outgoing.fields().forEach((name, value) -> fields.set(name, value));
                  if (payload != null && payload.length() >= 0) {
                    fields.set(HttpHeaderNames.CONTENT_LENGTH, payload.length());
                  }
                })
            .request(HttpMethod.valueOf(outgoing.method()))
            .uri(URI.create("http://" + server() + outgoing.rawPath()));
    return payload == null
        ? request
        : request.send((head, out) -> new ReactorUpload(payload, out).send());
  }

  /** One request; its response goes to a queue as fast as the queue is read. */
  private static final class Exchange extends BaseSubscriber<ByteBuf> {
    final CompletableFuture<IncomingResponse> head = new CompletableFuture<>();
    private final QueuedBody body = new QueuedBody(count -> request(1), this::abort);

    Publisher<ByteBuf> begin(HttpClientResponse response, Connection connection) {
      boolean http2 = connection.channel() instanceof Http2StreamChannel;
      if (http2) {
        connection.channel().pipeline().addFirst(FlushOnRead.INSTANCE);
      }
      head.complete(
          new IncomingResponse(
              response.status().code(),
              name -> response.responseHeaders().get(name),
              http2 ? HttpProtocol.H2C : HttpProtocol.HTTP_1_1,
              body));
      return connection.inbound().receive();
    }

    void abort() {
      try {
        cancel();
      } catch (RejectedExecutionException e) {
        // The client and its connections were closed meanwhile.
      }
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      request(AHEAD);
    }

    @Override
    protected void hookOnNext(ByteBuf buffer) {
      body.push(buffer.retain().nioBuffer(), buffer::release);
    }

    @Override
    protected void hookOnComplete() {
      body.end();
    }

    @Override
    protected void hookOnError(Throwable failure) {
      head.completeExceptionally(failure);
      body.fail(failure);
    }
  }

  @Override
  protected void release() {
    connections
        .disposeLater()
        .onErrorComplete()
        .then(loops.disposeLater(Duration.ZERO, STOP))
        .subscribe();
  }
}
