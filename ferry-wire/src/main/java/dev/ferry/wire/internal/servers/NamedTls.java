package dev.ferry.wire.internal.servers;

import java.security.SecureRandom;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A TLS context of a client that connects to an IP address, and checks the server's certificate for
 * a host name. java.net.http has no option for that. Thread-safe.
 *
 * <p>java.net.http connects to the first address of a name. So a server that is one of several of a
 * name is addressed by its IP.
 */
public final class NamedTls extends SSLContext {
  private NamedTls(SSLContext context, String host) {
    super(new Spi(context, host), context.getProvider(), context.getProtocol());
  }

  /**
   * Returns a context with the keys, the trust and the sessions of another one.
   *
   * @param host the host whose certificate every server must have
   */
  public static SSLContext of(SSLContext context, String host) {
    return new NamedTls(context, host);
  }

  /**
   * Returns the names by which a client tells the server which host it means (SNI, RFC 6066). A
   * name that is none of DNS, for instance with an underscore, is not told.
   */
  public static List<SNIServerName> serverNames(String host) {
    try {
      return List.of(new SNIHostName(host));
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }

  /** Makes engines for the host, whatever the client connects to. */
  private static final class Spi extends SSLContextSpi {
    private final SSLContext context;
    private final String host;

    Spi(SSLContext context, String host) {
      this.context = context;
      this.host = host;
    }

    @Override
    protected void engineInit(
        KeyManager @Nullable [] keys,
        TrustManager @Nullable [] trust,
        @Nullable SecureRandom random) {
      throw new IllegalStateException("the context has its keys already");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return context.createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String ip, int port) {
      return context.createSSLEngine(host, port);
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return context.getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return context.getServerSocketFactory();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return context.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return context.getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return context.getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return context.getSupportedSSLParameters();
    }
  }
}
