package dev.ferry.suites.rival.apache;

import dev.ferry.core.Carrier;
import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.rival.ClientSsl;
import dev.ferry.suites.rival.HttpFileClient;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HttpsSupport;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/** The clients of Apache HttpClient, and every setting of theirs with its reason. */
public final class ApacheClients {
  /** As much as a write to the file is worth; larger reads and writes bypass it. */
  private static final int SESSION_BYTES = 64 * 1024;

  /** Transfers at once; its default of five would queue the others. */
  private static final int CONNECTIONS = 256;

  private static final Timeout CONNECT = Timeout.of(Carrier.CONNECT_TIMEOUT);

  private ApacheClients() {}

  /** Connects by the client that speaks the protocol. */
  public static HttpFileClient connect(
      String host, int port, HttpProtocol protocol, boolean tuned) {
    return protocol == HttpProtocol.H2C
        ? new ApacheHttp2FileClient(host, port, tuned)
        : new ApacheFileClient(host, port, tuned, null);
  }

  /** Its defaults, but for what would change the meaning of a transfer. */
  static CloseableHttpClient plain() {
    return faithful(HttpClients.custom())
        .setConnectionManager(
            PoolingHttpClientConnectionManagerBuilder.create()
                .setDefaultConnectionConfig(connections())
                .build())
        .build();
  }

  /**
   * Its settings for speed.
   *
   * @param ssl null for its own, which plain text does not use
   */
  static CloseableHttpClient tuned(@Nullable ClientSsl ssl) {
    return faithful(HttpClients.custom())
        .setConnectionManager(
            PoolingHttpClientConnectionManagerBuilder.create()
                .setTlsSocketStrategy(ssl == null ? null : strategy(ssl))
                .setConnectionFactory(
                    ManagedHttpClientConnectionFactory.builder()
                        .http1Config(
                            Http1Config.custom()
                                .setBufferSize(SESSION_BYTES)
                                .setChunkSizeHint(SESSION_BYTES)
                                .build())
                        .build())
                .setDefaultSocketConfig(SocketConfig.custom().setTcpNoDelay(true).build())
                .setDefaultConnectionConfig(connections())
                .setMaxConnPerRoute(CONNECTIONS)
                .setMaxConnTotal(CONNECTIONS)
                .build())
        .disableCookieManagement()
        .disableAuthCaching()
        .build();
  }

  /** The same cipher as all other clients. */
  private static DefaultClientTlsStrategy strategy(ClientSsl ssl) {
    return new DefaultClientTlsStrategy(
        ssl.context(),
        ssl.parameters().getProtocols(),
        ssl.parameters().getCipherSuites(),
        SSLBufferMode.STATIC,
        HttpsSupport.getDefaultHostnameVerifier());
  }

  /** Settings of a connection. */
  static ConnectionConfig connections() {
    return ConnectionConfig.custom()
        .setConnectTimeout(CONNECT)
        .setSocketTimeout(Timeout.DISABLED)
        .build();
  }

  private static HttpClientBuilder faithful(HttpClientBuilder builder) {
    return builder
        .setDefaultRequestConfig(
            RequestConfig.custom()
                .setProtocolUpgradeEnabled(false)
                .setContentCompressionEnabled(false)
                .setConnectionRequestTimeout(CONNECT)
                .build())
        // Do not decode gzip here: it is decoded where its bytes are counted.
        .disableContentCompression()
        // A body that was sent is gone, and an error is the caller's.
        .disableAutomaticRetries()
        // A folder without its slash is a redirect to its list, and no file.
        .disableRedirectHandling();
  }
}
