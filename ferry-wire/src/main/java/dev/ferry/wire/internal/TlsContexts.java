package dev.ferry.wire.internal;

import dev.ferry.wire.ClientCertificate;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.TlsProvider;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Makes the TLS contexts of all servers and clients. */
public final class TlsContexts {
  /** ALPN of HTTP/2. */
  public static final String H2 = ApplicationProtocolNames.HTTP_2;

  /** ALPN of HTTP/1.1. */
  public static final String HTTP_1_1 = ApplicationProtocolNames.HTTP_1_1;

  private static final String TLS_1_3 = "TLSv1.3";
  private static final String TLS_1_2 = "TLSv1.2";

  /** All that TLS 1.3 has, and what HTTP/2 allows of TLS 1.2. */
  private static final List<String> ALL_CIPHERS =
      Stream.concat(JdkTls.CIPHERS.stream(), Http2SecurityUtil.CIPHERS.stream())
          .distinct()
          .toList();

  private TlsContexts() {}

  /**
   * Makes the context of a server, for TLS 1.3, and 1.2 if it is to have it. Each new connection
   * asks for it: it has the {@linkplain ServerTls#current current} certificate.
   *
   * @param protocols what the server speaks, for ALPN, the best first
   * @throws IllegalArgumentException if the provider does not take the certificate
   */
  public static Supplier<SslContext> server(ServerTls tls, String... protocols) {
    return new NewestContext(tls, current -> of(current, protocols));
  }

  private static SslContext of(ServerTls tls, String... protocols) {
    try {
      SslContextBuilder builder = SslContextBuilder.forServer(tls.key(), tls.certificates());
      if (!tls.clientIssuers().isEmpty()) {
        builder.trustManager(tls.clientIssuers()).clientAuth(ClientAuth.OPTIONAL);
      }
      return builder
          .sslProvider(netty(tls.provider()))
          .keyStoreType(JdkTls.KEY_STORE)
          .protocols(tls.hasTls12() ? List.of(TLS_1_3, TLS_1_2) : List.of(TLS_1_3))
          .ciphers(
              tls.hasTls12() ? ALL_CIPHERS : JdkTls.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
          .applicationProtocolConfig(alpn(protocols))
          .build();
    } catch (SSLException e) {
      throw new IllegalArgumentException(
          tls.provider() + " does not take the certificate of the server: " + e.getMessage(), e);
    }
  }

  /**
   * Makes the context of a client, for TLS 1.3, and 1.2 if a server has nothing newer.
   *
   * @param protocols what the client speaks, for ALPN, the best first
   */
  public static SslContext client(ClientTls tls, String... protocols) {
    try {
      ClientCertificate own = tls.certificate();
      SslContextBuilder builder = SslContextBuilder.forClient();
      if (own != null) {
        builder.keyManager(own.key(), own.certificates());
      }
      return builder
          .sslProvider(netty(tls.provider()))
          .keyStoreType(JdkTls.KEY_STORE)
          .protocols(TLS_1_3, TLS_1_2)
          .ciphers(ALL_CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
          .trustManager(tls.trust())
          .endpointIdentificationAlgorithm("HTTPS")
          .applicationProtocolConfig(alpn(protocols))
          .build();
    } catch (SSLException e) {
      throw new IllegalStateException(tls.provider() + " makes no TLS client", e);
    }
  }

  /**
   * Returns the TLS session of a connection, or of the connection of an HTTP/2 stream.
   *
   * @return null in plain text
   */
  public static @Nullable SSLSession session(Channel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls != null) {
      return tls.engine().getSession();
    }
    return channel instanceof Http2StreamChannel stream ? session(stream.parent()) : null;
  }

  private static SslProvider netty(TlsProvider provider) {
    return provider == TlsProvider.JDK ? SslProvider.JDK : SslProvider.OPENSSL;
  }

  private static ApplicationProtocolConfig alpn(String... protocols) {
    return new ApplicationProtocolConfig(
        Protocol.ALPN,
        SelectorFailureBehavior.NO_ADVERTISE,
        SelectedListenerFailureBehavior.ACCEPT,
        protocols);
  }
}
