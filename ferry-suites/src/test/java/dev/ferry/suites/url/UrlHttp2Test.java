package dev.ferry.suites.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.ferry.core.Sha256;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.tls.LoopbackTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The clients with a server that agrees on HTTP/2; the JDK trusts its certificate. */
@Timeout(300)
final class UrlHttp2Test {
  private static final int BYTES = 300_000;
  private static final String PASSWORD = "changeit";
  private static final Map<String, String> TRUST =
      Map.of(
          "javax.net.ssl.trustStoreType", "PKCS12", "javax.net.ssl.trustStorePassword", PASSWORD);
  private static final String TRUST_STORE = "javax.net.ssl.trustStore";

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private static HttpFilesServer server;

  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private static SSLContext defaultTls;

  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private static Workplace workplace;

  @BeforeAll
  static void start() throws Exception {
    Path store = Files.createDirectory(folder.resolve("store"));
    Path client = Files.createDirectory(folder.resolve("client"));
    Path source = Files.write(store.resolve("file"), new byte[BYTES]);
    workplace = new Workplace(store, client, source, BYTES, Sha256.ofFile(source));
    defaultTls = SSLContext.getDefault();
    server =
        HttpFilesServer.start(
            LocalFileStore.open(store),
            "127.0.0.1",
            0,
            65_536,
            ServerSettings.defaults().withTls(LoopbackTls.server(folder)));
    trust(folder.resolve("loopback-certificate.pem"));
  }

  private static void trust(Path certificate) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(certificate)) {
      trusted.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    Path file = folder.resolve("trusted.p12");
    try (OutputStream out = Files.newOutputStream(file)) {
      trusted.store(out, PASSWORD.toCharArray());
    }
    TRUST.forEach(System::setProperty);
    System.setProperty(TRUST_STORE, file.toString());
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, factory.getTrustManagers(), null);
    SSLContext.setDefault(tls);
  }

  @AfterAll
  static void stop() {
    SSLContext.setDefault(defaultTls);
    System.clearProperty(TRUST_STORE);
    TRUST.keySet().forEach(System::clearProperty);
    server.close();
  }

  static List<String> methods() {
    return UrlClients.methods(true);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void run_serverThatSpeaksBoth_isByTheProtocolOfTheLabel(String method) throws Exception {
    // It has certificates of its own.
    assumeFalse(method.startsWith(UrlClients.CURL), "curl does not trust the certificate");
    URI url = URI.create("https://127.0.0.1:" + server.port() + HttpRoutes.FILES + "file");
    UrlSuite suite = new UrlSuite(url, 0, true, null);
    RowKey row =
        suite.tables().get(0).groups(suite.name()).get(0).stream()
            .filter(each -> each.method().equals(method))
            .findFirst()
            .orElseThrow();
    try (Operation operation = new UrlSuite().row(row).client().start(workplace, 0)) {
      for (int i = 0; i < 2; i++) {
        operation.prepare();
        operation.run(0, 0);
        assertThat(operation.outcome().protocol()).isEqualTo(suite.row(row).promise().protocol());
        operation.check(0);
      }
    }
  }
}
