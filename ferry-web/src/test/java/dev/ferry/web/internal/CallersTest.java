package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StoreRule;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.Admission;
import dev.ferry.wire.Caller;
import dev.ferry.wire.Callers;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.CrossOrigin;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.TlsProvider;
import dev.ferry.wire.internal.JdkTls;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.TestCertificates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a port with callers sends to clients that know nothing of Ferry. */
@Timeout(300)
class CallersTest {
  private static final String ORIGIN = "https://example.org";

  @TempDir Path root;
  @TempDir Path local;

  @SuppressWarnings("NullAway.Init") // Started before each test.
  private WebFilesServer server;

  @BeforeEach
  void start() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    Map<String, Caller> callers =
        Map.of(
            "ferry_secret", new Caller("owner", List.of(StoreRule.parse("all:/"))),
            "ferry_lister", new Caller("lister", List.of(StoreRule.parse("list:/"))),
            "ferry_busy", new Caller("busy", List.of(StoreRule.parse("all:/"))));
    ServerSettings settings =
        ServerSettings.defaults()
            .withAllowedOrigins(new CrossOrigin(List.of(ORIGIN)))
            .withCallers(
                new Callers() {
                  @Override
                  public @Nullable Caller find(String token) {
                    return callers.get(token);
                  }

                  @Override
                  public Admission admit(Caller caller) throws FerryException {
                    if (caller.name().equals("busy")) {
                      throw new FerryException(ErrorKind.OVERLOADED, "too many")
                          .withRetryAfter(Duration.ofMillis(1500));
                    }
                    return Admission.FREE;
                  }
                });
    server = WebFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, settings);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String exchange(String head, String body) throws IOException {
    return RawHttp.exchange(server.port(), head, body.getBytes(StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer ferry_secret", "bearer  ferry_secret ", "BEARER ferry_secret"})
  void request_withAToken_isServed(String value) throws IOException {
    assertThat(exchange("GET /files/f HTTP/1.1\r\nAuthorization: " + value + "\r\n", ""))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("hello");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Authorization: \r\n",
        "Authorization: ferry_secret\r\n",
        "Authorization: Basic ferry_secret\r\n",
        "Authorization: Bearer\r\n",
        "Authorization: Bearerferry_secret\r\n",
        "Authorization: Bearer ferry_secret x\r\n",
        "Authorization: Bearer ferry_Secret\r\n",
        "Authorization: Bearer ferry_secret\r\nAuthorization: Bearer ferry_secret\r\n",
        "Authorization: Bearer x\r\nAuthorization: Bearer ferry_secret\r\n"
      })
  void request_withoutAToken_isUnauthorized(String fields) throws IOException {
    for (String head : List.of("GET /files/f", "GET /files/", "GET /none", "POST /files/f")) {
      assertThat(exchange(head + " HTTP/1.1\r\n" + fields, ""))
          .startsWith("HTTP/1.1 401 ")
          .containsIgnoringCase("\r\nwww-authenticate: Bearer\r\n")
          .contains("urn:ferry:error:unauthenticated")
          .doesNotContain("hello");
    }
    assertThat(exchange("HEAD /files/f HTTP/1.1\r\n" + fields, "")).startsWith("HTTP/1.1 401 ");
    String put = "PUT /files/new HTTP/1.1\r\nContent-Length: 5\r\n" + fields;
    assertThat(exchange(put, "world")).startsWith("HTTP/1.1 401 ");
    assertThat(TestFiles.tree(root)).containsExactly("f");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Accept-Encoding: gzip\r\n"})
  void head_byACallerWhoMayOnlyList_givesTheFacts(String fields) throws IOException {
    Files.writeString(root.resolve("f"), "hello".repeat(1000));
    String lister = " HTTP/1.1\r\nAuthorization: Bearer ferry_lister\r\n" + fields;
    assertThat(exchange("HEAD /files/f" + lister, ""))
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("content-length: 5000\r\n")
        .doesNotContainIgnoringCase("content-encoding");
    assertThat(exchange("GET /files/f" + lister, "")).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void request_tooMany_saysWhenToComeBack() throws IOException {
    assertThat(exchange("GET /files/f HTTP/1.1\r\nAuthorization: Bearer ferry_busy\r\n", ""))
        .startsWith("HTTP/1.1 429 ")
        .containsIgnoringCase("\r\nretry-after: 2\r\n")
        .contains("urn:ferry:error:overloaded", "too many");
    String call =
        "POST /ferry.v1.Files/List HTTP/1.1\r\nContent-Type: application/grpc-web+proto\r\n"
            + "Authorization: Bearer ferry_busy\r\nContent-Length: 5\r\n";
    assertThat(exchange(call, "\0\0\0\0\0"))
        .contains("grpc-status: 8\r\n", "grpc-retry-pushback-ms: 1500\r\n");
  }

  @ParameterizedTest
  @EnumSource
  void certificate_ofAResumedSession_isThatOfItsCaller(TlsProvider provider) throws Exception {
    Path file = local.resolve("callers");
    CallersFile.addCertificate(file, "build", "dns:build.example", List.of("all:/"));
    ServerSettings settings =
        ServerSettings.defaults()
            .withTls(
                TestCertificates.server(TestCertificates.loopback())
                    .withProvider(provider)
                    .withClientIssuers(TestCertificates.issuers()))
            .withCallers(CallersFile.open(file));
    SSLContext client =
        JdkTls.client(
            TestCertificates.client(TestCertificates.client("build.example", "urn:build")));
    try (WebFilesServer secure =
        WebFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, settings)) {
      List<Long> sessions = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        try (SSLSocket socket =
            (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", secure.port())) {
          String get = "GET /files/f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
          socket.getOutputStream().write(get.getBytes(StandardCharsets.US_ASCII));
          assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
              .startsWith("HTTP/1.1 200 ");
          sessions.add(socket.getSession().getCreationTime());
        }
      }
      assertThat(sessions.get(1)).as("resumed").isEqualTo(sessions.get(0));
    }
  }

  @Test
  void upload_withoutAToken_isRefusedBeforeItsBody() throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n"
              + "Expect: 100-continue\r\n\r\n");
      assertThat(raw.readUntil("\r\n\r\n"))
          .startsWith("HTTP/1.1 401 ")
          .containsIgnoringCase("connection: close");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Download", "Upload", "Stat", "List", "Delete", "Move", "MakeDirectory"})
  void call_withoutAToken_isUnauthenticated(String method) throws IOException {
    String head =
        "POST /ferry.v1.Files/"
            + method
            + " HTTP/1.1\r\nContent-Type: application/grpc-web+proto\r\nContent-Length: 5\r\n";
    assertThat(exchange(head, "\0\0\0\0\0"))
        .startsWith("HTTP/1.1 200 ")
        .contains("grpc-status: 16\r\n", "ferry-error: unauthenticated\r\n");
  }

  @Test
  void health_withoutAToken_isServed() throws IOException {
    String head =
        "POST /grpc.health.v1.Health/Check HTTP/1.1\r\n"
            + "Content-Type: application/grpc-web+proto\r\nContent-Length: 5\r\n";
    assertThat(exchange(head, "\0\0\0\0\0")).contains("grpc-status: 0\r\n");
  }

  @Test
  void preflight_withoutAToken_permitsToSendOne() throws IOException {
    assertThat(
            exchange(
                "OPTIONS /files/f HTTP/1.1\r\nOrigin: "
                    + ORIGIN
                    + "\r\nAccess-Control-Request-Method: PUT\r\n"
                    + "Access-Control-Request-Headers: authorization\r\n",
                ""))
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("access-control-allow-headers: authorization\r\n")
        .containsIgnoringCase("access-control-allow-origin: " + ORIGIN + "\r\n");
  }
}
