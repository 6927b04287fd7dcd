package dev.ferry.suites.rival.armeria;

import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import dev.ferry.core.Carrier;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.HostPort;
import dev.ferry.suites.rival.HttpExchange;
import dev.ferry.suites.rival.HttpFileClient;
import dev.ferry.suites.rival.SentFile;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Files over Armeria's client, HTTP/1.1 or HTTP/2 by prior knowledge. Its event loops read the
 * socket, and write downloads to the file from the buffers they were read into: to hand buffers to
 * another executor stalls now and then. Workers read uploads, one buffer ahead of the socket.
 *
 * <p>Its limits of 10 MiB and 15 s on a response are off: they are not for files. It decodes
 * nothing on its own. Thread-safe.
 */
public final class ArmeriaFileClient extends HttpFileClient {
  private static final int TUNED_WINDOW = 16 * 1024 * 1024;

  private final ExecutorService workers = ArmeriaSettings.workers("ferry-armeria-upload");
  private final ClientFactory factory;
  private final WebClient client;
  private final HttpProtocol protocol;

  /**
   * Connects, lazily, in plain text, with the defaults of Armeria, but for its limits: chunks of 8
   * KiB over HTTP/1.1, over HTTP/2 frames of 16 KiB, windows of 1 MiB and one connection; uploads
   * in buffers of the chunk size. Tuned: with the settings of its client factory for large bodies:
   * reads of up to 512 KiB, chunks and frames of 256 KiB, windows of 16 MiB for a stream and 32 MiB
   * for all, a connection for each event loop; uploads in buffers of 256 KiB at least.
   *
   * @param host a name or an address
   * @param tuned whether it is set up for speed
   */
  public ArmeriaFileClient(String host, int port, HttpProtocol protocol, boolean tuned) {
    super(host, port, tuned, false);
    this.protocol = protocol;
    ClientFactoryBuilder builder =
        ClientFactory.builder()
            .workerGroup(ArmeriaSettings.loops("ferry-armeria"), true)
            .connectTimeout(Carrier.CONNECT_TIMEOUT);
    factory = (tuned ? tune(builder) : builder).build();
    client =
        ArmeriaSettings.withoutLimits(
                WebClient.builder(
                        ArmeriaSettings.scheme(protocol) + "://" + new HostPort(host, port))
                    .factory(factory))
            .build();
  }

  private static ClientFactoryBuilder tune(ClientFactoryBuilder builder) {
    return builder
        .channelOption(
            ChannelOption.RECVBUF_ALLOCATOR,
            new AdaptiveRecvByteBufAllocator(16 * 1024, TUNED_BYTES, 2 * TUNED_BYTES))
        .http1MaxChunkSize(TUNED_BYTES)
        .http2MaxFrameSize(TUNED_BYTES)
        .http2InitialStreamWindowSize(TUNED_WINDOW)
        .http2InitialConnectionWindowSize(2 * TUNED_WINDOW)
        .maxNumEventLoopsPerEndpoint(Runtime.getRuntime().availableProcessors());
  }

  @Override
  protected void send(HttpExchange exchange) throws InterruptedException, ExecutionException {
    RequestHeadersBuilder headers =
        RequestHeaders.builder(HttpMethod.valueOf(exchange.method()), exchange.path());
    exchange.fields().forEach(headers::set);
    Response response = new Response(exchange);
    SentFile file = exchange.body();
    if (file == null) {
      response.readFrom(client.execute(HttpRequest.of(headers.build())));
    } else {
      if (file.length() >= 0) {
        headers.contentLength(file.length());
      }
      HttpRequestWriter request = HttpRequest.streaming(headers.build());
      response.readFrom(client.execute(request));
      SentBody.request(
          request,
          new SentBody.Source(file::fill, () -> {}),
          file.bufferSize(),
          PooledByteBufAllocator.DEFAULT,
          workers,
          response::onError);
    }
    Void unused = response.done.get();
  }

  /** A response, which the event loop passes on before it reads more. */
  private final class Response implements Subscriber<HttpObject> {
    private final HttpExchange exchange;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private @Nullable Subscription body;

    Response(HttpExchange exchange) {
      this.exchange = exchange;
    }

    void readFrom(HttpResponse response) {
      response.subscribe(this, SubscriptionOption.WITH_POOLED_OBJECTS);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      body = subscription;
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(HttpObject object) {
      if (object instanceof ResponseHeaders head && !head.status().isInformational()) {
        exchange.begin(protocol, head.status().code(), head::get);
      }
      if (object instanceof HttpData data) {
        try (data) {
          exchange.write(data.byteBuf().nioBuffer());
        } catch (IOException e) {
          done.completeExceptionally(e);
          requireNonNull(body).cancel();
        }
      }
    }

    @Override
    public void onError(Throwable failure) {
      done.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      done.complete(null);
    }
  }

  @Override
  public void close() {
    ArmeriaSettings.close(factory, workers);
  }
}
