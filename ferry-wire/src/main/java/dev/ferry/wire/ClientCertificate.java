package dev.ferry.wire;

import dev.ferry.wire.internal.PemFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The certificate by which a server knows a client.
 *
 * @param key the private key of the first certificate
 * @param certificates the certificate of the client, followed by those of its issuers
 */
public record ClientCertificate(PrivateKey key, List<X509Certificate> certificates) {
  /**
   * Copies the certificates.
   *
   * @throws IllegalArgumentException if there is none
   */
  public ClientCertificate {
    certificates = List.copyOf(certificates);
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("a key needs its certificate");
    }
  }

  /**
   * Reads a certificate and its key.
   *
   * @param certificates a PEM file: the certificate of the client, followed by those of its issuers
   * @param key a PEM file with the private key, RSA or EC, in PKCS #8 and not encrypted
   * @throws IOException if a file cannot be read or has other contents, the key is not that of the
   *     certificate, or the certificate is not valid today; its message is one line that names the
   *     file and the remedy
   */
  public static ClientCertificate load(Path certificates, Path key) throws IOException {
    List<X509Certificate> chain = PemFiles.certificates(certificates);
    PrivateKey secret = PemFiles.privateKey(key);
    PemFiles.requirePair(certificates, chain.get(0), key, secret);
    return new ClientCertificate(secret, chain);
  }

  /** Omits the key. */
  @Override
  public String toString() {
    return "ClientCertificate[" + certificates.get(0).getSubjectX500Principal() + "]";
  }
}
