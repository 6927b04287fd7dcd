package dev.ferry.suites.tls;

import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.TlsProvider;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import javax.net.ssl.SSLException;

/**
 * TLS 1.3 on Netty, for rows without Ferry's transport: what {@code GrpcSslContexts} of grpc-java
 * makes, for any protocol.
 */
public final class NettyTls {
  private static final String H2 = ApplicationProtocolNames.HTTP_2;

  private NettyTls() {}

  /** Makes the context of a gRPC server. */
  public static SslContext server(ServerTls tls) {
    return server(tls, H2);
  }

  /** Makes the context of a server of a protocol. */
  public static SslContext server(ServerTls tls, String protocol) {
    return build(
        SslContextBuilder.forServer(tls.key(), tls.certificates()), tls.provider(), protocol);
  }

  /** Makes the context of a gRPC client. */
  public static SslContext client(ClientTls tls) {
    return client(tls, H2);
  }

  /** Makes the context of a client of a protocol. */
  static SslContext client(ClientTls tls, String protocol) {
    return build(
        SslContextBuilder.forClient()
            .trustManager(tls.trust())
            .endpointIdentificationAlgorithm("HTTPS"),
        tls.provider(),
        protocol);
  }

  private static SslContext build(
      SslContextBuilder builder, TlsProvider provider, String protocol) {
    try {
      return builder
          .sslProvider(provider == TlsProvider.JDK ? SslProvider.JDK : SslProvider.OPENSSL)
          .protocols("TLSv1.3")
          .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
          .applicationProtocolConfig(
              new ApplicationProtocolConfig(
                  Protocol.ALPN,
                  SelectorFailureBehavior.NO_ADVERTISE,
                  SelectedListenerFailureBehavior.ACCEPT,
                  protocol))
          .build();
    } catch (SSLException e) {
      throw new IllegalStateException(provider + " makes no TLS context", e);
    }
  }
}
