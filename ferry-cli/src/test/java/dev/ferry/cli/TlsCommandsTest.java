package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.TestCertificates;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The commands over TLS. */
@Timeout(300)
final class TlsCommandsTest {
  @TempDir Path root;
  @TempDir Path local;
  private Path ca = Path.of("");

  @BeforeEach
  void writeFiles() throws Exception {
    ca = Files.writeString(local.resolve("ca.pem"), TestCertificates.caPem());
    Files.writeString(root.resolve("f"), "contents");
  }

  private Servers overTls() throws Exception {
    ServerSettings settings =
        ServerSettings.defaults().withTls(TestCertificates.server(TestCertificates.loopback()));
    return Servers.start(LocalFileStore.open(root), settings);
  }

  private static Outcome list(String server, CarrierChoice carrier, String... options) {
    String[] args = new String[options.length + 3];
    args[0] = "ls";
    args[1] = "--server=" + server;
    args[2] = "--carrier=" + carrier;
    System.arraycopy(options, 0, args, 3, options.length);
    return Outcome.of(args);
  }

  private static void assertFailure(Outcome outcome, int exitCode, String line) {
    assertThat(outcome.err().strip()).isEqualTo("ferry ls: " + line);
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }

  @ParameterizedTest
  @EnumSource
  void tls_withTheCertificatesToTrust_movesFiles(CarrierChoice carrier) throws Exception {
    try (Servers servers = overTls()) {
      String server = "--server=" + servers.address(carrier);
      String target = local.resolve("target").toString();
      String name = "--carrier=" + carrier;
      Outcome get = Outcome.of("get", "f", target, server, name, "--tls", "--ca=" + ca, "-v");
      assertThat(get.exitCode()).isZero();
      assertThat(get.out()).containsPattern(" (h2|http/1.1) identity");
      Outcome put = Outcome.of("put", target, "g", server, name, "--tls", "--ca=" + ca);
      assertThat(put.err()).isEmpty();
      assertThat(root.resolve("g")).hasContent("contents");
    }
  }

  @Test
  void tlsCert_ofAClient_isTheCallerOfItsName() throws Exception {
    X509Bundle own = TestCertificates.client("build.example", "urn:build");
    String cert =
        "--tls-cert=" + Files.writeString(local.resolve("cert"), own.getCertificatePathPEM());
    String key = "--tls-key=" + Files.writeString(local.resolve("key"), own.getPrivateKeyPEM());
    String callers = local.resolve("callers").toString();
    assertThat(Outcome.of("token", "add", callers, "build", "--cert=dns:build.example", "read:/"))
        .isEqualTo(new Outcome(0, "", ""));
    ServerSettings settings =
        ServerSettings.defaults()
            .withTls(
                TestCertificates.server(TestCertificates.loopback())
                    .withClientIssuers(TestCertificates.issuers()))
            .withCallers(CallersFile.open(Path.of(callers)));
    try (Servers servers = Servers.start(LocalFileStore.open(root), settings)) {
      for (CarrierChoice carrier : CarrierChoice.values()) {
        String server = servers.address(carrier);
        String target = local.resolve("target").toString();
        Outcome get =
            Outcome.of(
                "get",
                "f",
                target,
                "--server=" + server,
                "--carrier=" + carrier,
                "--tls",
                "--ca=" + ca,
                cert,
                key);
        assertThat(get.err()).isEmpty();
        assertFailure(
            list(server, carrier, "--tls", "--ca=" + ca),
            5,
            "this server requires a token; give your token with --token-file");
      }
    }
    for (String[] wrong :
        new String[][] {
          {cert, "--tls-cert: works only with TLS; add --tls"},
          {key, "--tls-key: works only with TLS; add --tls"},
          {cert, "--tls", "--tls-cert: needs its key; add --tls-key KEY.pem"},
          {key, "--tls", "--tls-key: needs its certificate; add --tls-cert CERT.pem"}
        }) {
      String[] options = Arrays.copyOf(wrong, wrong.length - 1);
      assertFailure(
          list("127.0.0.1:1", CarrierChoice.GRPC, options),
          2,
          wrong[wrong.length - 1] + "; try 'ferry ls --help'");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tls_thatOneEndDoesNotExpect_isExplained(CarrierChoice carrier) throws Exception {
    try (Servers secure = overTls();
        Servers plain = Servers.start(root)) {
      String server = secure.address(carrier);
      assertFailure(list(server, carrier), 6, server + " speaks TLS; use --tls, or check --server");
      assertFailure(
          list(server, carrier, "--tls"),
          6,
          server
              + " has a certificate that is not trusted; check --server, and --ca, which names the"
              + " certificates to trust, or --pin, which trusts one key");
      server = plain.address(carrier);
      assertFailure(
          list(server, carrier, "--tls", "--ca=" + ca),
          6,
          server + " does not speak TLS; leave out --tls, or check --server");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tls_toASilentServer_isGivenUp(CarrierChoice carrier) throws Exception {
    try (Peers peers = new Peers()) {
      String server = Servers.HOST + ":" + peers.silent();
      Outcome outcome =
          Outcome.of(
              "get",
              "f",
              local.resolve("target").toString(),
              "--server=" + server,
              "--carrier=" + carrier,
              "--tls",
              "--stall-timeout=500ms",
              "--retries=0");
      assertThat(outcome.complaints())
          .startsWith("ferry get: f: no response from " + server + " for 500 ms; ");
      assertThat(outcome.exitCode()).isEqualTo(6);
    }
  }

  @Test
  void tls_toThePortOfAnotherCarrier_isExplained() throws Exception {
    try (Servers servers = overTls()) {
      String http = servers.address(CarrierChoice.HTTP);
      assertFailure(
          list(http, CarrierChoice.GRPC, "--tls", "--ca=" + ca),
          6,
          http + " is Ferry's HTTP port; use --client http, or the gRPC port (7070)");
      String grpc = servers.address(CarrierChoice.GRPC);
      assertFailure(
          list(grpc, CarrierChoice.HTTP, "--tls", "--ca=" + ca),
          6,
          grpc + " speaks gRPC (HTTP/2 only); use --client grpc, or the HTTP port (7080)");
    }
  }

  @Test
  void ca_thatIsOfNoUse_isRefused() {
    assertFailure(
        list("127.0.0.1:1", CarrierChoice.GRPC, "--ca=" + ca),
        2,
        "--ca: works only with TLS; add --tls; try 'ferry ls --help'");
    assertFailure(
        list("127.0.0.1:1", CarrierChoice.GRPC, "--tls", "--ca=" + root.resolve("f")),
        1,
        "--ca: "
            + root.resolve("f")
            + ": no certificate in PEM form (BEGIN CERTIFICATE); give the file of one");
  }

  @ParameterizedTest
  @EnumSource
  void pin_ofTheServersKey_isTrustedAndNoOther(CarrierChoice carrier) throws Exception {
    String pin = ClientTls.pin(TestCertificates.loopback().getCertificate());
    String other = "--pin=sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    try (Servers servers = overTls()) {
      String server = servers.address(carrier);
      Outcome trusted = list(server, carrier, "--tls", other, "--pin=" + pin);
      assertThat(trusted.err()).isEmpty();
      assertThat(trusted.out()).contains("  f");
      assertFailure(
          list(server, carrier, "--tls", other),
          6,
          server
              + " has the key "
              + pin
              + ", which is not pinned; check --server; give this pin with --pin only if you know"
              + " that the key is new");
    }
  }

  @Test
  void pin_thatIsOfNoUse_isRefused() {
    String pin = "--pin=" + ClientTls.pin(TestCertificates.loopback().getCertificate());
    String help = "; try 'ferry ls --help'";
    assertFailure(
        list("127.0.0.1:1", CarrierChoice.GRPC, pin),
        2,
        "--pin: works only with TLS; add --tls" + help);
    assertFailure(
        list("127.0.0.1:1", CarrierChoice.GRPC, "--tls", pin, "--ca=" + ca),
        2,
        "--ca: --pin trusts one key and no certificate; leave out one of them" + help);
    assertFailure(
        list("127.0.0.1:1", CarrierChoice.GRPC, "--tls", "--pin=abc"),
        2,
        "--pin: 'abc' is not a pin; give sha256/ and the SHA-256 of the key's DER form in base64"
            + help);
  }

  private void assertNotServed(int exitCode, String line, String... options) {
    String[] args = new String[options.length + 4];
    args[0] = "serve";
    args[1] = root.toString();
    args[2] = "--grpc-port=0";
    args[3] = "--http-port=0";
    System.arraycopy(options, 0, args, 4, options.length);
    Outcome outcome = Outcome.of(args);
    assertThat(outcome.err().strip()).isEqualTo("ferry serve: " + line);
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void serve_withoutAllThatTlsNeeds_saysWhatIsMissing() {
    String help = "; try 'ferry serve --help'";
    assertNotServed(
        2,
        "--tls: needs a certificate; add --tls-cert CERT.pem and --tls-key KEY.pem" + help,
        "--tls");
    assertNotServed(
        2, "--tls-cert: needs its key; add --tls-key KEY.pem" + help, "--tls-cert=" + ca);
    assertNotServed(
        2, "--tls-key: needs its certificate; add --tls-cert CERT.pem" + help, "--tls-key=" + ca);
    assertNotServed(
        1,
        ca
            + ": no RSA or EC key in PKCS #8 (BEGIN PRIVATE KEY); 'openssl pkcs8 -topk8 -nodes -in"
            + " KEY' converts other forms",
        "--tls-cert=" + ca,
        "--tls-key=" + ca);
  }
}
