package dev.ferry.http.internal.http1;

import dev.ferry.http.HttpProtocol;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Servers.Address;
import dev.ferry.wire.TlsProvider;
import dev.ferry.wire.internal.ForwardingTrust;
import dev.ferry.wire.internal.HostName;
import dev.ferry.wire.internal.JdkTls;
import java.net.Socket;
import java.security.Provider;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.X509ExtendedTrustManager;
import org.conscrypt.Conscrypt;
import org.jspecify.annotations.Nullable;

/**
 * Makes the TLS engines of a client of one server: BoringSSL's by Conscrypt, if that is on the
 * class path and loads on this machine, else the JDK's. Those of the JDK encrypt slowly until they
 * are compiled. Certificates are checked by the JDK in both cases. Thread-safe.
 */
final class ClientEngines {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  /** What BoringSSL says of an alert of the server, and of bytes that are not TLS. */
  private static final Pattern ALERT = Pattern.compile("(?:SSLV3|TLSV1|TLSV13)_ALERT_([A-Z_]+)");

  private static final Pattern NO_TLS =
      Pattern.compile("WRONG_VERSION_NUMBER|Unable to parse TLS packet header");

  private final Address server;
  private final SSLContext context;
  private final boolean isJdks;

  ClientEngines(ClientTls tls, Address server) {
    this.server = server;
    boolean ofJdk = tls.asksFor(TlsProvider.JDK) || !isNamed(server.host());
    Provider boringSsl = ofJdk ? null : BoringSsl.PROVIDER;
    isJdks = boringSsl == null;
    context =
        boringSsl == null
            ? JdkTls.client(tls)
            : JdkTls.client(tls.withTrust(new KnownExchange(tls.trust())), boringSsl);
  }

  /**
   * Whether Conscrypt names the host to the server (SNI, RFC 6066) as the JDK does. It throws for a
   * name of several labels that is none of DNS, and leaves a single label out.
   */
  private static boolean isNamed(String host) {
    if (HostName.isAddress(host) || host.equals("localhost")) {
      return true;
    }
    try {
      return new SNIHostName(host).getAsciiName().contains(".");
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Loads the library only when it is needed. */
  private static final class BoringSsl {
    static final @Nullable Provider PROVIDER = load();

    private static @Nullable Provider load() {
      try {
        return Conscrypt.isAvailable() ? Conscrypt.newProvider() : null;
      } catch (LinkageError e) {
        // It is not on the class path. The JDK's is as secure.
        return null;
      }
    }
  }

  /** Returns a failure of a handshake in the words of the JDK, whichever library it is of. */
  static SSLException inWordsOfTheJdk(SSLException failure) {
    String text = String.valueOf(failure.getMessage());
    Matcher alert = ALERT.matcher(text);
    if (alert.find()) {
      String name = alert.group(1).toLowerCase(Locale.ROOT);
      return new SSLException("Received fatal alert: " + name, failure);
    }
    return NO_TLS.matcher(text).find()
        ? new SSLException("Unsupported or unrecognized SSL message", failure)
        : failure;
  }

  /**
   * Returns the names by which a client tells the server which host it means (SNI, RFC 6066). A
   * name that is none of DNS, for instance with an underscore, is not told.
   */
  private static List<SNIServerName> serverNames(String host) {
    try {
      return List.of(new SNIHostName(host));
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }

  /** Creates the end of a session that checks whether the certificate is for the host. */
  SSLEngine create() {
    SSLEngine engine = context.createSSLEngine(server.host(), server.port());
    engine.setUseClientMode(true);
    SSLParameters parameters = isJdks ? JdkTls.parameters(context) : engine.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    if (!isJdks) {
      // Without those that have no forward secrecy.
      parameters.setCipherSuites(
          Stream.of(parameters.getCipherSuites())
              .filter(suite -> !suite.startsWith("TLS_RSA_"))
              .toArray(String[]::new));
    }
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    parameters.setApplicationProtocols(new String[] {HttpProtocol.HTTP_1_1.wireName()});
    if (!HostName.isAddress(server.host())) {
      parameters.setServerNames(serverNames(server.host()));
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  /**
   * Tells the JDK of a key exchange that it knows. It accepts no certificate for "GENERIC", which
   * Conscrypt says of TLS 1.3; its own engines say "UNKNOWN".
   */
  private static final class KnownExchange extends ForwardingTrust {
    KnownExchange(X509ExtendedTrustManager trust) {
      super(trust);
    }

    private static String known(String exchange) {
      return exchange.equals("GENERIC") ? "UNKNOWN" : exchange;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String exchange, SSLEngine engine)
        throws CertificateException {
      super.checkServerTrusted(chain, known(exchange), engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String exchange, Socket socket)
        throws CertificateException {
      super.checkServerTrusted(chain, known(exchange), socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String exchange)
        throws CertificateException {
      super.checkServerTrusted(chain, known(exchange));
    }
  }
}
