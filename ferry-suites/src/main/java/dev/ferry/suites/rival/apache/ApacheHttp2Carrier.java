package dev.ferry.suites.rival.apache;

import dev.ferry.core.FerryException;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.CopyBuffers;
import dev.ferry.http.internal.HttpCarrier;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.http.internal.Payload;
import java.net.URI;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.H2AsyncClientBuilder;
import org.apache.hc.core5.concurrent.DefaultThreadFactory;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.io.CloseMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files over the asynchronous client of Apache HttpClient 5, HTTP/2 by prior knowledge. Its threads
 * read the socket and uploads. Downloads are copied once, and the caller's thread writes them to
 * the file.
 *
 * <p>It does not retry, because a body can be sent only once. After an interrupt the calling
 * thread's interrupt status is set. Thread-safe.
 */
public final class ApacheHttp2Carrier extends HttpCarrier {
  private static final Logger LOG = LoggerFactory.getLogger(ApacheHttp2Carrier.class);

  private static final int TUNED_WINDOW = 16 * 1024 * 1024;

  private final CopyBuffers uploads = CopyBuffers.direct();
  private final CloseableHttpAsyncClient client;

  /**
   * Connects, lazily, in plain text, with the client's defaults: windows of 64 KiB and frames of 16
   * KiB; buffers of the chunk size. Tuned: with what its {@code H2Config} is for: windows of 16 MiB
   * and frames of 256 KiB; no cookies or authentication on its own; buffers of 256 KiB at least.
   *
   * @param host a name or an address
   * @param tuned whether it is set up for speed
   */
  public ApacheHttp2Carrier(String host, int port, boolean tuned) {
    super(host, port, "apache2", tuned);
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
  protected IncomingResponse send(Call call, OutgoingRequest outgoing) throws FerryException {
    requireOpen();
    BasicHttpRequest request =
        new BasicHttpRequest(
            outgoing.method(), URI.create("http://" + server() + outgoing.rawPath()));
    outgoing.fields().forEach(request::setHeader);
    Payload payload = outgoing.payload();
    BasicRequestProducer producer =
        new BasicRequestProducer(
            request, payload == null ? null : new ApacheUpload(payload, uploads));
    ApacheResponse response = new ApacheResponse();
    call.during(response::cancel);
    return call.await(
        () -> {
          response.begun(client.execute(producer, response, null));
          return response.head();
        });
  }

  @Override
  protected void release() {
    client.close(CloseMode.IMMEDIATE);
  }
}
