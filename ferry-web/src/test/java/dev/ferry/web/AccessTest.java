package dev.ferry.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.ferry.core.FerryException;
import dev.ferry.core.LocalFileStore;
import dev.ferry.core.TestFiles;
import dev.ferry.net.CrossOrigin;
import dev.ferry.net.ServerSettings;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are answered, by the host they ask for and the page they come from. */
@Timeout(30)
class AccessTest {
  private static final List<String> CALLS =
      List.of(
          "/ferry.v1.Files/Upload",
          "/ferry.v1.Files/Stat",
          "/grpc.health.v1.Health/Check",
          "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo");

  private static final List<String> ROUTES =
      List.of("/files/f", "/files/", "/docs/", "/docs/specification.json", "/no");

  @TempDir Path root;

  @BeforeEach
  void makeFile() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
  }

  private WebFilesServer start(ServerSettings settings) throws FerryException {
    return WebFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, settings);
  }

  private static String exchange(WebFilesServer server, String request) throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(request);
      return raw.readAll();
    }
  }

  private static String get(String path, String fields) {
    return "GET " + path + " HTTP/1.1\r\n" + fields + "\r\nConnection: close\r\n\r\n";
  }

  private static String post(String path, String type, String fields) {
    return "POST "
        + path
        + " HTTP/1.1\r\nConnection: close\r\nContent-Length: 5\r\nContent-Type: "
        + type
        + "\r\n"
        + fields
        + "\r\n\r\n\0\0\0\0\0";
  }

  @ParameterizedTest
  @CsvSource({
    "Host: localhost, 200",
    "Host: 127.0.0.1:7090, 200",
    "Host: evil.example, 421",
    "X: y, 400",
    "Host:, 400",
    "Host: a b, 400"
  })
  void get_host_mustBeANameOfLoopback(String field, int status) throws IOException {
    try (WebFilesServer server = start(ServerSettings.defaults())) {
      String answer = exchange(server, get("/files/f", field));
      assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
      if (status == 200) {
        assertThat(answer).endsWith("hello");
      } else {
        assertThat(answer).contains("application/problem+json").doesNotContain("hello");
      }
      assertThat(exchange(server, get("/files/f", "Host: localhost\r\nHost: localhost")))
          .startsWith("HTTP/1.1 400 ");
    }
  }

  @Test
  void anyRoute_reboundHost_isMisdirected() throws IOException {
    try (WebFilesServer server = start(ServerSettings.defaults())) {
      String fields = "Host: evil.example\r\nOrigin: http://evil.example";
      for (String route : ROUTES) {
        assertThat(exchange(server, get(route, fields))).startsWith("HTTP/1.1 421 ");
      }
      for (String call : CALLS) {
        for (String type : List.of("application/grpc-web+proto", "application/grpc-web-text")) {
          assertThat(exchange(server, post(call, type, fields)))
              .startsWith("HTTP/1.1 421 ")
              .contains("application/problem+json")
              .containsIgnoringCase("grpc-message: 'evil.example' is not known as a name");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "null", "https://localhost", "http://localhost:1"})
  void anyRoute_foreignOrigin_isForbiddenAndNothingIsDone(String origin) throws IOException {
    try (WebFilesServer server = start(ServerSettings.defaults())) {
      String fields = "Host: localhost\r\nOrigin: " + origin;
      for (String route : ROUTES) {
        assertThat(exchange(server, get(route, fields))).startsWith("HTTP/1.1 403 ");
      }
      for (String call : CALLS) {
        for (String type : List.of("application/grpc-web+proto", "text/plain")) {
          assertThat(exchange(server, post(call, type, fields))).startsWith("HTTP/1.1 403 ");
        }
      }
      String put = "PUT /files/%s HTTP/1.1\r\nConnection: close\r\nContent-Length: 5\r\n%s\r\n\r\n";
      for (String name : List.of("new", "f")) {
        assertThat(exchange(server, put.formatted(name, fields) + "world"))
            .startsWith("HTTP/1.1 403 ");
      }
    }
    assertThat(TestFiles.tree(root)).containsExactly("f");
    assertThat(root.resolve("f")).hasContent("hello");
  }

  @Test
  void put_pageOfTheServerItself_isStored() throws IOException {
    try (WebFilesServer server = start(ServerSettings.defaults())) {
      String host = "localhost:" + server.port();
      assertThat(
              exchange(
                  server,
                  "PUT /files/new HTTP/1.1\r\nConnection: close\r\nContent-Length: 5\r\nHost: "
                      + host
                      + "\r\nOrigin: http://"
                      + host
                      + "\r\n\r\nworld"))
          .startsWith("HTTP/1.1 201 ");
    }
    assertThat(root.resolve("new")).hasContent("world");
  }

  @Test
  void preflight_allowedOriginAndForeignHost_isMisdirected() throws IOException {
    CrossOrigin allowed = new CrossOrigin(List.of("https://example.org"));
    try (WebFilesServer server = start(ServerSettings.defaults().withAllowedOrigins(allowed))) {
      String preflight =
          "OPTIONS /files/f HTTP/1.1\r\nConnection: close\r\nAccess-Control-Request-Method: PUT\r\n"
              + "Origin: https://example.org\r\nHost: ";
      assertThat(exchange(server, preflight + "evil.example\r\n\r\n"))
          .startsWith("HTTP/1.1 421 ")
          .doesNotContainIgnoringCase("access-control-allow");
      assertThat(exchange(server, preflight + "localhost\r\n\r\n"))
          .startsWith("HTTP/1.1 200 ")
          .containsIgnoringCase("access-control-allow-origin: https://example.org");
    }
  }

  @Test
  void get_hostThatWasNamed_isAnswered() throws IOException {
    ServerSettings named = ServerSettings.defaults().withHostNames(List.of("files.example"));
    try (WebFilesServer server = start(named)) {
      assertThat(exchange(server, get("/files/f", "Host: files.example:8443")))
          .startsWith("HTTP/1.1 200 ");
      assertThat(exchange(server, get("/files/f", "Host: evil.example")))
          .startsWith("HTTP/1.1 421 ");
    }
  }

  @Test
  void get_absoluteForm_isJudgedByItsOwnHostToo() throws IOException {
    try (WebFilesServer server = start(ServerSettings.defaults())) {
      assertThat(exchange(server, get("http://evil.example/files/f", "Host: localhost")))
          .startsWith("HTTP/1.1 4")
          .doesNotContain("hello");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, , 200",
    "evil.example, , 421",
    "localhost, http://localhost, 200",
    "localhost, http://evil.example, 403"
  })
  void http2_authorityAndOrigin_obeyTheSameRules(
      String authority, @Nullable String origin, int status) throws IOException {
    try (WebFilesServer server = start(ServerSettings.defaults());
        ClientFactory factory = ClientFactory.builder().useHttp2Preface(true).build()) {
      WebClient client =
          WebClient.builder("h2c://127.0.0.1:" + server.port()).factory(factory).build();
      RequestHeadersBuilder head =
          RequestHeaders.builder(HttpMethod.GET, "/files/f").authority(authority);
      if (origin != null) {
        head.set("origin", origin);
      }
      AggregatedHttpResponse answer = client.execute(head.build()).aggregate().join();
      assertThat(answer.status().code()).isEqualTo(status);
      assertThat(answer.content(StandardCharsets.UTF_8).equals("hello")).isEqualTo(status == 200);
    }
  }

  @Test
  void grpc_foreignAuthority_isToldWhy() throws Exception {
    try (WebFilesServer server = start(ServerSettings.defaults())) {
      ManagedChannel channel =
          ManagedChannelBuilder.forAddress("127.0.0.1", server.port())
              .overrideAuthority("evil.example")
              .usePlaintext()
              .build();
      try {
        StatusRuntimeException refused =
            catchThrowableOfType(
                StatusRuntimeException.class,
                () ->
                    HealthGrpc.newBlockingStub(channel)
                        .check(HealthCheckRequest.getDefaultInstance()));
        assertThat(refused).hasMessageContaining("421");
      } finally {
        channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
      }
    }
  }
}
