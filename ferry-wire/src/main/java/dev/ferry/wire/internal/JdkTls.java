package dev.ferry.wire.internal;

import dev.ferry.wire.ClientCertificate;
import dev.ferry.wire.ClientTls;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.cert.Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** Makes the TLS contexts of clients that take the JDK's. Their programs need not load Netty. */
public final class JdkTls {
  /**
   * All that TLS 1.3 has, in BoringSSL's order, which cannot be changed. A server on BoringSSL
   * chooses the first of its client, so all clients have this order, too.
   */
  static final List<String> CIPHERS =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  /**
   * How keys are kept in memory between their files and the engine. The default, PKCS #12, derives
   * a key of 10,000 rounds for each, once to put it in and once to take it out.
   */
  static final String KEY_STORE = "JKS";

  private JdkTls() {}

  /** Makes the context of a client. */
  public static SSLContext client(ClientTls tls) {
    return client(tls, null);
  }

  /**
   * Makes the context of a client.
   *
   * @param provider what encrypts; null for the JDK. Certificates are checked by the JDK in any
   *     case
   */
  public static SSLContext client(ClientTls tls, @Nullable Provider provider) {
    try {
      SSLContext context =
          provider == null
              ? SSLContext.getInstance("TLS")
              : SSLContext.getInstance("TLS", provider);
      context.init(keys(tls.certificate()), new TrustManager[] {tls.trust()}, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the JDK makes no TLS client", e);
    }
  }

  private static KeyManager @Nullable [] keys(@Nullable ClientCertificate own)
      throws GeneralSecurityException, IOException {
    if (own == null) {
      return null;
    }
    char[] password = new char[0];
    KeyStore store = KeyStore.getInstance(KEY_STORE);
    store.load(null, null);
    store.setKeyEntry("own", own.key(), password, own.certificates().toArray(new Certificate[0]));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, password);
    return factory.getKeyManagers();
  }

  /** Returns the parameters of connections of {@link #client}. */
  public static SSLParameters parameters(SSLContext client) {
    SSLParameters parameters = client.getDefaultSSLParameters();
    List<String> all = List.of(parameters.getCipherSuites());
    parameters.setCipherSuites(
        Stream.concat(CIPHERS.stream().filter(all::contains), all.stream())
            .distinct()
            .toArray(String[]::new));
    return parameters;
  }
}
