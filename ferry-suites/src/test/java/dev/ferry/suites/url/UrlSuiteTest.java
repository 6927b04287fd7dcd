package dev.ferry.suites.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.ferry.core.Sha256;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Workplace;
import io.netty.handler.ssl.JdkSslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
final class UrlSuiteTest {
  private static final int BYTES = 300_000;

  @TempDir Path folder;
  private final List<String> queries = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private byte[] content;
  private Workplace workplace;

  @BeforeEach
  void start() throws IOException {
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    content = bytes;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/file",
        exchange -> {
          queries.add(exchange.getRequestURI().getRawQuery());
          exchange.sendResponseHeaders(200, content.length);
          try (var body = exchange.getResponseBody()) {
            body.write(content);
          }
        });
    server.createContext(
        "/moved",
        exchange -> {
          exchange.getResponseHeaders().set("Location", "/file");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    server.start();
    Path source = Files.write(folder.resolve("source"), content);
    Path client = Files.createDirectory(folder.resolve("client"));
    workplace = new Workplace(folder, client, source, content.length, Sha256.ofFile(source));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  static List<String> methods() {
    return UrlClients.methods(false);
  }

  private UrlSuite suite(String path) {
    return new UrlSuite(url(path), 0, false, null);
  }

  private URI url(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  private static RowKey row(UrlSuite suite, String method) {
    return suite.tables().get(0).groups(suite.name()).get(0).stream()
        .filter(row -> row.method().equals(method))
        .findFirst()
        .orElseThrow();
  }

  /** Opens the client of a row as a fork does, which knows the row alone. */
  private Operation open(String path, String method) throws IOException {
    return new UrlSuite().row(row(suite(path), method)).client().start(workplace, 0);
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(workplace.client())) {
      return files.toList();
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void run_anyClient_downloadsTheFileAgainAndAgain(String method) throws IOException {
    try (Operation operation = open("/file", method)) {
      for (int i = 0; i < 3; i++) {
        operation.prepare();
        operation.run(0, 0);
        assertThat(left())
            .singleElement()
            .satisfies(f -> assertThat(f).binaryContent().isEqualTo(content));
        operation.check(0);
      }
      assertThat(operation.outcome().bytes()).isEqualTo(BYTES);
      assertThat(left()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void run_redirect_isFollowed(String method) throws IOException {
    try (Operation operation = open("/moved", method)) {
      operation.prepare();
      operation.run(0, 0);
      operation.check(0);
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void run_noSuchFile_failsAndNamesTheAddress(String method) throws IOException {
    try (Operation operation = open("/none", method)) {
      operation.prepare();
      assertThatThrownBy(() -> operation.run(0, 0))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("/none", "404");
    }
  }

  /** A fork reads the query from a file; what it says shows none. */
  @ParameterizedTest
  @MethodSource("methods")
  void run_query_isSentAndNotShown(String method) throws IOException {
    for (String path : List.of("/file", "/none")) {
      Path address =
          Files.writeString(folder.resolve("address"), url(path + "?sig=secret").toString());
      System.setProperty("ferry.url.address", address.toString());
      try (Operation operation = open(path + "?sig=secret", method)) {
        operation.prepare();
        if (path.equals("/file")) {
          operation.run(0, 0);
          operation.check(0);
          assertThat(queries).containsExactly("sig=secret");
        } else {
          assertThatThrownBy(() -> operation.run(0, 0))
              .hasMessageContainingAll("/none?…", "404")
              .hasNoCause()
              .message()
              .doesNotContain("secret");
        }
      } finally {
        System.clearProperty("ferry.url.address");
      }
    }
  }

  @Test
  void check_fileThatHasChangedMeanwhile_fails() throws IOException {
    try (Operation operation = open("/file", UrlClients.HTTP_CLIENT)) {
      content = Arrays.copyOf(content, BYTES - 1);
      operation.prepare();
      operation.run(0, 0);
      assertThatThrownBy(() -> operation.check(0))
          .hasMessageContainingAll("299,999 bytes", "when the run began, 300,000 bytes");
    }
  }

  @Test
  void reactorNetty_https_hasTheTlsOfTheJdk() {
    assertThat(
            Objects.requireNonNull(UrlClients.reactorNetty().configuration().sslProvider())
                .getSslContext())
        .isInstanceOf(JdkSslContext.class);
  }

  @Test
  void curl_anyAddress_takesNoProxyAndNoSettingsOfTheUser() {
    assertThat(CurlUrlClient.command(Path.of("curl"), true, folder))
        .startsWith("curl", "-q")
        .containsSequence("--noproxy", "*")
        .contains("--http2");
  }

  @Test
  void flags_limitedRate_tellTheFork() {
    UrlSuite limited = new UrlSuite(URI.create("https://example.org/file"), 200_000, false, null);

    assertThat(limited.row(row(limited, UrlClients.HTTP_CLIENT)).needs().flags())
        .containsExactly("-Dferry.url.bytes-per-second=200000");
    assertThat(suite("/file").row(row(suite("/file"), UrlClients.HTTP_CLIENT)).needs().flags())
        .isEmpty();
  }
}
