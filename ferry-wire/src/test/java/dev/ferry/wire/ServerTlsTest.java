package dev.ferry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.wire.internal.TestCertificates;
import dev.ferry.wire.internal.Warnings;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerTlsTest {
  @TempDir Path folder;

  private Path certificate(X509Bundle bundle) throws IOException {
    return replace("cert.pem", bundle.getCertificatePathPEM());
  }

  private Path key(X509Bundle bundle) throws IOException {
    return replace("key.pem", bundle.getPrivateKeyPEM());
  }

  private Path replace(String name, String contents) throws IOException {
    Path made = Files.writeString(folder.resolve(name + ".new"), contents);
    return Files.move(made, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  private static void assertRefused(Path certificate, Path key, String message) {
    assertThatThrownBy(() -> ServerTls.load(certificate, key))
        .isInstanceOf(IOException.class)
        .hasMessageMatching(message);
  }

  @Test
  void load_certificateAndItsKey_takesBoth() throws Exception {
    X509Bundle bundle = TestCertificates.loopback();
    ServerTls tls = ServerTls.load(certificate(bundle), key(bundle));
    assertThat(tls.certificates()).startsWith(bundle.getCertificate());
    assertThat(tls.key()).isEqualTo(bundle.getKeyPair().getPrivate());
    assertThat(tls.toString()).contains("CN=loopback").doesNotContain("Key");
  }

  @Test
  void load_filesThatAreNotWhatTheyShouldBe_saysWhichAndWhatToDo() throws Exception {
    X509Bundle bundle = TestCertificates.loopback();
    Path certificate = certificate(bundle);
    Path key = key(bundle);
    Path absent = folder.resolve("absent");
    assertRefused(absent, key, ".*/absent: no such file; check the path");
    assertRefused(certificate, absent, ".*/absent: no such file; check the path");
    assertRefused(folder, key, ".*: cannot be read; check .*");
    assertRefused(key, key, ".*/key.pem: no certificate in PEM form .*; give the file of one");
    assertRefused(certificate, certificate, ".*/cert.pem: no RSA or EC key in PKCS #8 .*");
    Path text = Files.writeString(folder.resolve("text"), "hello\n");
    assertRefused(text, key, ".*/text: no certificate in PEM form .*");
    assertRefused(certificate, text, ".*/text: no RSA or EC key in PKCS #8 .*");
    Path torn =
        Files.writeString(
            folder.resolve("torn"),
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    assertRefused(certificate, torn, ".*/torn: no RSA or EC key in PKCS #8 .*");
  }

  @Test
  void load_keyOfAnotherCertificate_isRefused() throws Exception {
    assertRefused(
        certificate(TestCertificates.loopback()),
        key(TestCertificates.otherHost()),
        ".*/key.pem: is not the key of the certificate in .*/cert.pem; give the two .*");
  }

  @Test
  void load_expiredCertificate_isRefused() throws Exception {
    X509Bundle expired = TestCertificates.expired();
    assertRefused(
        certificate(expired), key(expired), ".*/cert.pem: the certificate expired on .*; renew it");
  }

  @Test
  void current_filesThatChange_areReadOnceASecond() throws Exception {
    AtomicLong clock = new AtomicLong();
    X509Bundle first = TestCertificates.loopback();
    X509Bundle second = TestCertificates.otherHost();
    ServerTls tls = ServerTls.load(certificate(first), key(first), null, clock::get);
    certificate(second);
    key(second);
    clock.addAndGet(CertificateFiles.PAUSE_NANOS - 1);
    assertThat(tls.current()).isSameAs(tls);
    clock.addAndGet(1);
    ServerTls changed = tls.withProvider(TlsProvider.JDK).current();
    assertThat(changed.certificates()).startsWith(second.getCertificate());
    assertThat(changed.key()).isEqualTo(second.getKeyPair().getPrivate());
    assertThat(changed.provider()).isEqualTo(TlsProvider.JDK);
    assertThat(tls.current().key()).isSameAs(changed.key());
  }

  @Test
  void current_filesThatCanBeUsedLater_areReadThen() throws Exception {
    AtomicLong clock = new AtomicLong();
    X509Bundle first = TestCertificates.loopback();
    X509Bundle second = TestCertificates.otherHost();
    ServerTls tls = ServerTls.load(certificate(first), key(first), null, clock::get);
    certificate(second);
    Path key = key(second);
    String text = Files.readString(key);
    FileTime time = Files.getLastModifiedTime(key);
    Files.writeString(key, "-".repeat(text.length()));
    Files.setLastModifiedTime(key, time);
    clock.addAndGet(CertificateFiles.PAUSE_NANOS);
    assertThat(tls.current()).isSameAs(tls);

    // Neither size nor time show the change, as if only the right to read the file came later.
    Files.writeString(key, text);
    Files.setLastModifiedTime(key, time);
    clock.addAndGet(CertificateFiles.PAUSE_NANOS);
    assertThat(tls.current().key()).isEqualTo(second.getKeyPair().getPrivate());
  }

  @Test
  void current_clientIssuersThatChange_areReadAgain() throws Exception {
    AtomicLong clock = new AtomicLong();
    X509Bundle own = TestCertificates.loopback();
    Path issuers = replace("issuers.pem", TestCertificates.caPem());
    ServerTls tls = ServerTls.load(certificate(own), key(own), issuers, clock::get);
    assertThat(tls.withTls12(true).clientIssuers()).isEqualTo(TestCertificates.issuers());
    X509Bundle next = TestCertificates.selfSigned();
    replace("issuers.pem", next.getCertificatePEM());
    clock.addAndGet(CertificateFiles.PAUSE_NANOS);
    assertThat(tls.current().clientIssuers()).containsExactly(next.getCertificate());
    assertThatThrownBy(() -> ServerTls.load(certificate(own), key(own), folder.resolve("none")))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("none: no such file; check the path");
  }

  @Test
  void current_filesThatCannotBeUsed_keepsTheOldCertificateAndWarnsOnce() throws Exception {
    AtomicLong clock = new AtomicLong();
    X509Bundle first = TestCertificates.loopback();
    X509Bundle second = TestCertificates.otherHost();
    ServerTls tls = ServerTls.load(certificate(first), key(first), null, clock::get);
    try (Warnings warnings = new Warnings()) {
      certificate(second);
      for (int i = 0; i < 2; i++) {
        clock.addAndGet(CertificateFiles.PAUSE_NANOS);
        assertThat(tls.current().certificates()).startsWith(first.getCertificate());
      }
      assertThat(warnings.heard())
          .singleElement()
          .asString()
          .contains("/key.pem: is not the key of the certificate in ", "keep the certificate");
      Files.delete(folder.resolve("key.pem"));
      clock.addAndGet(CertificateFiles.PAUSE_NANOS);
      assertThat(tls.current().certificates()).startsWith(first.getCertificate());
      assertThat(warnings.heard()).last().asString().contains("/key.pem: no such file");
      key(second);
      clock.addAndGet(CertificateFiles.PAUSE_NANOS);
      assertThat(tls.current().certificates()).startsWith(second.getCertificate());
      assertThat(warnings.heard()).hasSize(2);
    }
  }
}
