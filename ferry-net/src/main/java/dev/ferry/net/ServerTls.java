package dev.ferry.net;

import dev.ferry.net.internal.PemFiles;
import dev.ferry.net.internal.TlsContexts;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The certificate of a server. Its ports speak TLS 1.3 alone.
 *
 * @param key the private key of the first certificate
 * @param certificates the certificate of the server, then those that lead to its root; not empty
 * @param provider what encrypts
 */
public record ServerTls(PrivateKey key, List<X509Certificate> certificates, TlsProvider provider) {
  /**
   * Copies the certificates.
   *
   * @throws IllegalArgumentException if there is no certificate
   */
  public ServerTls {
    certificates = List.copyOf(certificates);
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("a server needs a certificate");
    }
  }

  /**
   * Reads a certificate and its key. The {@linkplain TlsProvider#fastest fastest provider}
   * encrypts.
   *
   * @param certificates a PEM file: the certificate of the server, then those that lead to its root
   * @param key a PEM file with the private key, RSA or EC, in PKCS #8 and not encrypted
   * @throws IOException if a file cannot be read or has other contents, the key is not that of the
   *     certificate, or the certificate is not valid today; its message is one line that names the
   *     file and the remedy
   */
  public static ServerTls load(Path certificates, Path key) throws IOException {
    List<X509Certificate> chain = PemFiles.certificates(certificates);
    X509Certificate own = chain.get(0);
    try {
      own.checkValidity();
    } catch (CertificateExpiredException e) {
      throw new IOException(
          certificates + ": the certificate expired on " + own.getNotAfter() + "; renew it", e);
    } catch (CertificateNotYetValidException e) {
      throw new IOException(
          certificates
              + ": the certificate is valid from "
              + own.getNotBefore()
              + " on; check the clock",
          e);
    }
    PrivateKey secret = PemFiles.privateKey(key);
    if (!PemFiles.belongsTo(secret, own)) {
      throw new IOException(
          key
              + ": is not the key of the certificate in "
              + certificates
              + "; give the two that were made together");
    }
    ServerTls tls = new ServerTls(secret, chain, TlsProvider.fastest());
    try {
      // The library may have limits of its own, for instance on short keys.
      TlsContexts.server(tls, TlsContexts.H2);
      return tls;
    } catch (IllegalArgumentException e) {
      throw new IOException(certificates + ": " + e.getMessage() + "; make another", e);
    }
  }

  public ServerTls withProvider(TlsProvider value) {
    return new ServerTls(key, certificates, value);
  }

  /** Omits the key. */
  @Override
  public String toString() {
    return "ServerTls[" + certificates.get(0).getSubjectX500Principal() + ", " + provider + "]";
  }
}
