package dev.ferry.wire.internal;

import dev.ferry.wire.ClientCertificate;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.TlsProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Certificates of one CA, made for the tests of this JVM. */
public final class TestCertificates {
  private static final X509Bundle CA =
      made(() -> named("CN=Test CA").setIsCertificateAuthority(true).buildSelfSigned());

  private static final X509Bundle LOOPBACK =
      made(
          () ->
              named("CN=loopback")
                  .addSanDnsName("localhost")
                  .addSanIpAddress("127.0.0.1")
                  .buildIssuedBy(CA));

  private TestCertificates() {}

  /** Makes a certificate. */
  @FunctionalInterface
  private interface Maker {
    X509Bundle make() throws Exception;
  }

  private static X509Bundle made(Maker maker) {
    try {
      return maker.make();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static CertificateBuilder named(String subject) {
    return new CertificateBuilder().subject(subject);
  }

  /** A certificate for this machine, by name and by address. */
  public static X509Bundle loopback() {
    return LOOPBACK;
  }

  /** A certificate for this machine that only itself vouches for. */
  public static X509Bundle selfSigned() {
    return made(
        () ->
            named("CN=self")
                .addSanIpAddress("127.0.0.1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned());
  }

  /** A certificate for another host. */
  public static X509Bundle otherHost() {
    return made(() -> named("CN=other").addSanDnsName("other.example").buildIssuedBy(CA));
  }

  /** A certificate for this machine that was valid until yesterday. */
  public static X509Bundle expired() {
    Instant now = Instant.now();
    return made(
        () ->
            named("CN=expired")
                .addSanIpAddress("127.0.0.1")
                .notBefore(now.minus(Duration.ofDays(9)))
                .notAfter(now.minus(Duration.ofDays(1)))
                .buildIssuedBy(CA));
  }

  /** A certificate of a client, with a DNS name and a URI. */
  public static X509Bundle client(String dnsName, String uri) {
    return made(
        () -> named("CN=client").addSanDnsName(dnsName).addSanUriName(uri).buildIssuedBy(CA));
  }

  /** What a client is given that trusts all of these and has a certificate of its own. */
  public static ClientTls client(X509Bundle own) {
    return client()
        .withCertificate(
            new ClientCertificate(own.getKeyPair().getPrivate(), own.getCertificatePathList()));
  }

  /** The CA, for servers that ask their clients for certificates. */
  public static List<X509Certificate> issuers() {
    return List.of(CA.getCertificate());
  }

  /** What a server with a certificate is given. */
  public static ServerTls server(X509Bundle certificate) {
    return new ServerTls(
        certificate.getKeyPair().getPrivate(),
        certificate.getCertificatePathList(),
        TlsProvider.fastest());
  }

  /** What a client is given that trusts all of these. */
  public static ClientTls client() {
    return ClientTls.trusting(List.of(CA.getCertificate()));
  }

  /** The CA, in PEM form. */
  public static String caPem() {
    return CA.getCertificatePEM();
  }
}
