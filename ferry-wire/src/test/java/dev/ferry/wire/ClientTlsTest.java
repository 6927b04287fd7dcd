package dev.ferry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.wire.internal.TestCertificates;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientTlsTest {
  private static final String CERTIFICATE =
      """
      -----BEGIN CERTIFICATE-----
      MIIBcDCCARegAwIBAgIUUzuhIMhV62KdmA4rsBYMLuBMerwwCgYIKoZIzj0EAwIw
      DjEMMAoGA1UEAwwDcGluMB4XDTI2MTEyNDE4MjQzMloXDTI2MTEyNTE4MjQzMlow
      DjEMMAoGA1UEAwwDcGluMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEnkcrMkrF
      noS/bvFFIIVmMQCFM5gZTcccZSx0bh0KBAy/hx5sQkURZNUPzLcKW7cAXNB4/1e6
      BCt74Xyy5K4j+6NTMFEwHQYDVR0OBBYEFJj0xJce5DslZKZcd0XfnK3oOvdfMB8G
      A1UdIwQYMBaAFJj0xJce5DslZKZcd0XfnK3oOvdfMA8GA1UdEwEB/wQFMAMBAf8w
      CgYIKoZIzj0EAwIDRwAwRAIgMgICAKQ7vGPTYwWztLLaK4EczjBDW+UvMpDrT4to
      z3UCIGrfXLvQFA8340umR/BWLt7nl7xSzR9wYC/AVslDXb3i
      -----END CERTIFICATE-----
      """;

  /** By {@code openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64}. */
  private static final String ITS_PIN = "sha256/169qd9Pa9m93LZ6v4ciYiJrJPN87W2MwzmSxpFx9iY8=";

  private static X509Certificate parse(String pem) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  private static void check(ClientTls tls, X509Certificate... chain) throws CertificateException {
    tls.trust().checkServerTrusted(chain, "UNKNOWN");
  }

  @Test
  void pin_isThatOfOpenssl() throws Exception {
    assertThat(ClientTls.pin(parse(CERTIFICATE))).isEqualTo(ITS_PIN);
  }

  @Test
  void pinning_withOrWithoutPadding_trustsTheKey() throws Exception {
    X509Certificate certificate = parse(CERTIFICATE);
    for (String form : List.of(ITS_PIN, ITS_PIN.substring(0, ITS_PIN.length() - 1))) {
      check(ClientTls.pinning(List.of(form)), certificate);
    }
  }

  @Test
  void pinning_keyOfTheIssuer_isNotThatOfTheServer() throws Exception {
    X509Certificate issuer = parse(TestCertificates.caPem());
    X509Certificate own = TestCertificates.loopback().getCertificate();
    ClientTls pinning = ClientTls.pinning(List.of(ClientTls.pin(issuer)));
    assertThatThrownBy(() -> check(pinning, own, issuer))
        .isInstanceOf(CertificateException.class)
        .hasMessage("has the key " + ClientTls.pin(own) + ", which is not pinned");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sha256/",
        "sha256/AAAA",
        "sha256/*AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
      })
  void pinning_textOfAnotherForm_isRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClientTls.pinning(List.of(text)))
        .withMessageStartingWith("'" + text + "' is not a pin; ");
  }

  @Test
  void pinning_nothing_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> ClientTls.pinning(List.of()));
  }
}
