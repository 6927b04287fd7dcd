package dev.ferry.wire;

import dev.ferry.wire.internal.PemFiles;
import dev.ferry.wire.internal.TlsContexts;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of a server. Its ports speak TLS 1.3 alone, unless {@link #withTls12} says
 * otherwise. Thread-safe.
 */
public final class ServerTls {
  private final PrivateKey key;
  private final List<X509Certificate> certificates;
  private final TlsProvider provider;
  private final boolean tls12;
  private final List<X509Certificate> clientIssuers;
  private final @Nullable CertificateFiles files;

  /**
   * Creates a certificate that stays as it is.
   *
   * @param key the private key of the first certificate
   * @param certificates the certificate of the server, followed by those of its issuers; copied
   * @param provider what encrypts
   * @throws IllegalArgumentException if there is no certificate
   */
  public ServerTls(PrivateKey key, List<X509Certificate> certificates, TlsProvider provider) {
    this(key, certificates, provider, false, List.of(), null);
  }

  private ServerTls(
      PrivateKey key,
      List<X509Certificate> certificates,
      TlsProvider provider,
      boolean tls12,
      List<X509Certificate> clientIssuers,
      @Nullable CertificateFiles files) {
    this.key = key;
    this.certificates = List.copyOf(certificates);
    this.provider = provider;
    this.tls12 = tls12;
    this.clientIssuers = List.copyOf(clientIssuers);
    this.files = files;
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("a server needs a certificate");
    }
  }

  /**
   * Reads a certificate and its key. The {@linkplain TlsProvider#fastest fastest provider}
   * encrypts.
   *
   * <p>If the files change, servers that run give new connections what the files have then. They
   * look at the files once a second at most, when a client connects. Open connections stay. Files
   * that this method would refuse are logged, and change nothing.
   *
   * @param certificates a PEM file: the certificate of the server, followed by those of its issuers
   * @param key a PEM file with the private key, RSA or EC, in PKCS #8 and not encrypted
   * @throws IOException if a file cannot be read or has other contents, the key is not that of the
   *     certificate, or the certificate is not valid today; its message is one line that names the
   *     file and the remedy
   */
  public static ServerTls load(Path certificates, Path key) throws IOException {
    return load(certificates, key, null);
  }

  /**
   * Reads a certificate and its key as {@link #load(Path, Path)}, and the certificates of CAs whose
   * clients may have certificates of their own ({@link #withClientIssuers}).
   *
   * @param clientIssuers a PEM file; null for none
   */
  public static ServerTls load(Path certificates, Path key, @Nullable Path clientIssuers)
      throws IOException {
    return load(certificates, key, clientIssuers, System::nanoTime);
  }

  static ServerTls load(
      Path certificates, Path key, @Nullable Path clientIssuers, LongSupplier nanoTime)
      throws IOException {
    CertificateFiles files = new CertificateFiles(certificates, key, clientIssuers, nanoTime);
    ServerTls now = read(certificates, key, clientIssuers, TlsProvider.fastest());
    return new ServerTls(now.key, now.certificates, now.provider, false, now.clientIssuers, files);
  }

  /** Reads what the files have now. */
  static ServerTls read(
      Path certificates, Path key, @Nullable Path clientIssuers, TlsProvider provider)
      throws IOException {
    List<X509Certificate> chain = PemFiles.certificates(certificates);
    PrivateKey secret = PemFiles.privateKey(key);
    PemFiles.requirePair(certificates, chain.get(0), key, secret);
    ServerTls tls =
        new ServerTls(secret, chain, provider)
            .withClientIssuers(
                clientIssuers == null ? List.of() : PemFiles.certificates(clientIssuers));
    try {
      // The library may have limits of its own, for instance on short keys.
      TlsContexts.server(tls, TlsContexts.H2);
      return tls;
    } catch (IllegalArgumentException e) {
      throw new IOException(certificates + ": " + e.getMessage() + "; make another", e);
    }
  }

  /**
   * Returns this certificate as its files have it now. Reads them if they have changed, so it may
   * block on the disk.
   */
  public ServerTls current() {
    ServerTls newest = files == null ? null : files.newest(provider);
    return newest == null
        ? this
        : new ServerTls(
            newest.key, newest.certificates, provider, tls12, newest.clientIssuers, null);
  }

  /** Returns the private key of the first certificate. */
  public PrivateKey key() {
    return key;
  }

  /** Returns the certificate of the server, followed by those of its issuers. */
  public List<X509Certificate> certificates() {
    return certificates;
  }

  /** Returns what encrypts. */
  public TlsProvider provider() {
    return provider;
  }

  public ServerTls withProvider(TlsProvider value) {
    return new ServerTls(key, certificates, value, tls12, clientIssuers, files);
  }

  /** Returns whether the ports also speak TLS 1.2, with the ciphers that HTTP/2 allows. */
  public boolean hasTls12() {
    return tls12;
  }

  public ServerTls withTls12(boolean value) {
    return new ServerTls(key, certificates, provider, value, clientIssuers, files);
  }

  /** Returns the CAs whose clients may have certificates; none if clients are not asked for one. */
  public List<X509Certificate> clientIssuers() {
    return clientIssuers;
  }

  /**
   * Returns the same certificate for servers that ask their clients for one. A client need not have
   * one. One that was not issued by these, or is not valid today, ends the handshake.
   */
  public ServerTls withClientIssuers(List<X509Certificate> value) {
    return new ServerTls(key, certificates, provider, tls12, value, files);
  }

  /** Omits the key. */
  @Override
  public String toString() {
    return "ServerTls[" + certificates.get(0).getSubjectX500Principal() + ", " + provider + "]";
  }
}
