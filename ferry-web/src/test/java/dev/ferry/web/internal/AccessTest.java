package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryException;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.CrossOrigin;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are served, by their Host and Origin. */
@Timeout(300)
class AccessTest {
  private static final List<String> CALLS =
      List.of(
          "/ferry.v1.Files/Upload",
          "/ferry.v1.Files/Stat",
          "/grpc.health.v1.Health/Check",
          "/no.such.Service/Method");

  private static final List<String> ROUTES = List.of("/files/f", "/files/", "/no");

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
}
