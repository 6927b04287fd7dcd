package dev.ferry.suites.rival;

import java.security.GeneralSecurityException;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * How a client encrypts with the JDK.
 *
 * @param parameters the same protocol and ciphers for all clients
 */
public record ClientSsl(SSLContext context, SSLParameters parameters) {
  /**
   * BoringSSL's order, which cannot be changed. A server on BoringSSL takes the first cipher of its
   * client, so all clients have this order.
   */
  private static final List<String> CIPHERS =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  /** Makes that of a client without a certificate. */
  public static ClientSsl trusting(TrustManager trust) {
    SSLContext context;
    try {
      context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trust}, null);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK makes no TLS client", e);
    }
    SSLParameters parameters = context.getDefaultSSLParameters();
    List<String> all = List.of(parameters.getCipherSuites());
    parameters.setCipherSuites(
        Stream.concat(CIPHERS.stream().filter(all::contains), all.stream())
            .distinct()
            .toArray(String[]::new));
    return new ClientSsl(context, parameters);
  }
}
