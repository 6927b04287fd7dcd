package dev.ferry.suites.rival.apache;

import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.rival.Buffers;
import dev.ferry.suites.rival.HttpExchange;
import dev.ferry.suites.rival.HttpFileClient;
import dev.ferry.suites.rival.SentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.hc.client5.http.async.methods.AbstractBinResponseConsumer;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.H2AsyncClientBuilder;
import org.apache.hc.core5.concurrent.DefaultThreadFactory;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files over the asynchronous client of Apache HttpClient 5, HTTP/2 by prior knowledge. Its threads
 * read and write both socket and file. Thread-safe.
 */
public final class ApacheHttp2FileClient extends HttpFileClient {
  private static final Logger LOG = LoggerFactory.getLogger(ApacheHttp2FileClient.class);

  private static final int TUNED_WINDOW = 16 * 1024 * 1024;

  private final Buffers uploads = Buffers.direct();
  private final CloseableHttpAsyncClient client;

  /**
   * Connects, lazily, in plain text, with the client's defaults: frames of 16 KiB, and windows that
   * begin with 64 KiB and are then as good as unlimited, as with the client's own consumers;
   * buffers of the chunk size. Tuned: with what its {@code H2Config} is for: windows of 16 MiB and
   * frames of 256 KiB; no cookies or authentication on its own; buffers of 256 KiB at least.
   *
   * @param host a name or an address
   * @param tuned whether it is set up for speed
   */
  public ApacheHttp2FileClient(String host, int port, boolean tuned) {
    super(host, port, tuned, false);
    H2AsyncClientBuilder builder =
        H2AsyncClientBuilder.create()
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .setDefaultConnectionConfig(ApacheClients.connections())
            // The caller gets the failure. The default would also log it as an error.
            .setIoReactorExceptionCallback(e -> LOG.debug("request ended: {}", e.toString()))
            .setThreadFactory(new DefaultThreadFactory("ferry-apache2", true));
    H2Config.Builder http2 = H2Config.custom().setPushEnabled(false);
    if (tuned) {
      http2.setInitialWindowSize(TUNED_WINDOW).setMaxFrameSize(TUNED_BYTES);
      builder.disableCookieManagement().disableAuthCaching();
    }
    client = builder.setH2Config(http2.build()).build();
    client.start();
  }

  @Override
  protected void send(HttpExchange exchange) throws InterruptedException, ExecutionException {
    BasicHttpRequest request = new BasicHttpRequest(exchange.method(), exchange.uri());
    exchange.fields().forEach(request::setHeader);
    SentFile file = exchange.body();
    Future<?> response =
        client.execute(
            new BasicRequestProducer(
                request, file == null ? null : new ApacheUpload(file, uploads)),
            new Response(exchange),
            null);
    Object unused = response.get();
  }

  /** Passes on the response in the buffers that it was read into. */
  private static final class Response extends AbstractBinResponseConsumer<Boolean> {
    private final HttpExchange exchange;

    Response(HttpExchange exchange) {
      this.exchange = exchange;
    }

    @Override
    public void informationResponse(HttpResponse response, HttpContext context) {}

    @Override
    protected void start(HttpResponse response, @Nullable ContentType type) {
      exchange.begin(
          HttpProtocol.H2C, response.getCode(), name -> ApacheFileClient.value(response, name));
    }

    @Override
    protected int capacityIncrement() {
      return Integer.MAX_VALUE;
    }

    @Override
    protected void data(ByteBuffer bytes, boolean last) throws IOException {
      exchange.write(bytes);
    }

    @Override
    protected Boolean buildResult() {
      return true;
    }

    @Override
    public void failed(Exception cause) {
      // The future has it.
    }

    @Override
    public void releaseResources() {}
  }

  @Override
  public void close() {
    client.close(CloseMode.IMMEDIATE);
  }
}
