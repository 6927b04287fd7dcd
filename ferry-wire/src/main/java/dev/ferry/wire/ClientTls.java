package dev.ferry.wire;

import dev.ferry.wire.internal.NamedTrust;
import dev.ferry.wire.internal.PemFiles;
import dev.ferry.wire.internal.PinnedTrust;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The servers that a client trusts. Unless it {@linkplain #pinning pins keys}, every client also
 * checks that the certificate is for the host that it connects to.
 *
 * @param trust decides which certificates are trusted
 * @param provider what encrypts; null for the fastest that loads, which {@link #provider()} then
 *     returns: settings with null and with that provider are not equal. Clients of {@code
 *     HttpFiles} have BoringSSL by Conscrypt, if it is on the class path and loads, unless this is
 *     the JDK
 * @param certificate by which servers know the client; null for none
 */
public record ClientTls(
    X509ExtendedTrustManager trust,
    @Nullable TlsProvider provider,
    @Nullable ClientCertificate certificate) {
  /** Creates the settings of a client without a certificate of its own. */
  public ClientTls(X509ExtendedTrustManager trust, TlsProvider provider) {
    this(trust, provider, null);
  }

  /** Returns what encrypts. It is not looked for before, since that loads a native library. */
  @Override
  public TlsProvider provider() {
    return provider == null ? TlsProvider.fastest() : provider;
  }

  /** Whether this provider was asked for. Loads nothing. */
  public boolean asksFor(TlsProvider one) {
    return provider == one;
  }

  /**
   * Trusts the certificates that the JDK trusts. The {@linkplain TlsProvider#fastest fastest
   * provider} encrypts.
   */
  public static ClientTls trustingJdk() {
    return of(null);
  }

  /**
   * Trusts only the certificates of a file, and those that they issued. The {@linkplain
   * TlsProvider#fastest fastest provider} encrypts.
   *
   * @param certificates a PEM file with the certificates of CAs, or of the server itself
   * @throws IOException if the file cannot be read or contains no certificate; its message is one
   *     line that names the file and the remedy
   */
  public static ClientTls trusting(Path certificates) throws IOException {
    return trusting(PemFiles.certificates(certificates));
  }

  /** Trusts only these certificates, and those that they issued. */
  public static ClientTls trusting(List<X509Certificate> certificates) {
    try {
      KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
      anchors.load(null, null);
      for (int i = 0; i < certificates.size(); i++) {
        anchors.setCertificateEntry("trusted-" + i, certificates.get(i));
      }
      return of(anchors);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("a new key store takes no certificate", e);
    }
  }

  /**
   * Trusts only the servers whose key has one of these pins. Who issued the certificate of such a
   * server, for which hosts and when, is not checked, so it may be self-signed. The {@linkplain
   * TlsProvider#fastest fastest provider} encrypts.
   *
   * @param pins one or more of what {@link #pin} returns
   * @throws IllegalArgumentException if there is no pin, or one has another form; its message is
   *     one line that quotes the pin
   */
  public static ClientTls pinning(List<String> pins) {
    return new ClientTls(new PinnedTrust(pins), null, null);
  }

  /**
   * Returns the pin of a certificate's key: {@code sha256/} and the SHA-256 of its
   * SubjectPublicKeyInfo in base64 (RFC 7469, 2.4). Certificates with the same key have the same.
   */
  public static String pin(X509Certificate certificate) {
    return PinnedTrust.pin(certificate);
  }

  private static ClientTls of(@Nullable KeyStore anchors) {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(anchors);
      X509ExtendedTrustManager trust = (X509ExtendedTrustManager) factory.getTrustManagers()[0];
      return new ClientTls(new NamedTrust(trust), null, null);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK loads no trusted certificates", e);
    }
  }

  public ClientTls withTrust(X509ExtendedTrustManager value) {
    return new ClientTls(value, provider, certificate);
  }

  public ClientTls withProvider(TlsProvider value) {
    return new ClientTls(trust, value, certificate);
  }

  public ClientTls withCertificate(@Nullable ClientCertificate value) {
    return new ClientTls(trust, provider, value);
  }
}
