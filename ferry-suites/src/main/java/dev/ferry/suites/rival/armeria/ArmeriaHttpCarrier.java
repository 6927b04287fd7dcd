package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.HttpCarrier;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.http.internal.Payload;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * Files over Armeria's client, HTTP/1.1 or HTTP/2 by prior knowledge. Its own event loops read the
 * socket. Workers read uploads, one buffer ahead of the socket. The caller's thread writes
 * downloads to the file, from the buffers they were read into.
 *
 * <p>Its limits of 10 MiB and 15 s on a response are off: they are not for files. It decodes
 * nothing on its own. After an interrupt the calling thread's interrupt status is set. Thread-safe.
 */
public final class ArmeriaHttpCarrier extends HttpCarrier {
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
  public ArmeriaHttpCarrier(String host, int port, HttpProtocol protocol, boolean tuned) {
    super(host, port, "armeria", tuned);
    this.protocol = protocol;
    ClientFactoryBuilder builder =
        ClientFactory.builder()
            .workerGroup(ArmeriaSettings.loops("ferry-armeria"), true)
            .connectTimeout(CONNECT_TIMEOUT);
    factory = (tuned ? tune(builder) : builder).build();
    client =
        ArmeriaSettings.withoutLimits(
                WebClient.builder(ArmeriaSettings.scheme(protocol) + "://" + server())
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
  protected IncomingResponse send(Call call, OutgoingRequest outgoing) throws FerryException {
    requireOpen();
    ArmeriaExchange exchange = new ArmeriaExchange(protocol);
    call.during(exchange::abort);
    try {
      return call.await(
          () -> {
            begin(outgoing, exchange);
            return exchange.head();
          });
    } catch (RejectedExecutionException | IllegalStateException e) {
      // The client was closed meanwhile.
      throw call.failure(e, ErrorKind.UNAVAILABLE);
    }
  }

  private void begin(OutgoingRequest outgoing, ArmeriaExchange exchange) {
    RequestHeadersBuilder headers =
        RequestHeaders.builder(HttpMethod.valueOf(outgoing.method()), outgoing.rawPath());
    outgoing.fields().forEach(headers::set);
    Payload payload = outgoing.payload();
    if (payload == null) {
      exchange.begin(client.execute(HttpRequest.of(headers.build())));
      return;
    }
    if (payload.length() >= 0) {
      headers.contentLength(payload.length());
    }
    HttpRequestWriter request = HttpRequest.streaming(headers.build());
    exchange.begin(client.execute(request));
    SentBody.request(
        request,
        payload.open(),
        payload.bufferSize(),
        PooledByteBufAllocator.DEFAULT,
        workers,
        exchange::fail);
  }

  @Override
  protected void release() {
    ArmeriaSettings.close(factory, workers);
  }
}
