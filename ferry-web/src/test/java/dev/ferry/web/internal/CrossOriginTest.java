package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.CrossOrigin;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which pages may use the port from a browser. */
class CrossOriginTest {
  @TempDir Path root;

  private static final String PREFLIGHT =
      "OPTIONS %s HTTP/1.1\r\nOrigin: %s\r\nAccess-Control-Request-Method: %s\r\n"
          + "Access-Control-Request-Headers: content-type,x-grpc-web\r\n";

  private String exchange(CrossOrigin allowed, String head) throws IOException {
    try (WebFilesServer server =
        WebFilesServer.start(
            LocalFileStore.open(root),
            "localhost",
            0,
            ServerSettings.defaults().withAllowedOrigins(allowed))) {
      return RawHttp.exchange(server.port(), head, new byte[0]);
    }
  }

  @Test
  void otherOrigin_byDefault_isShutOut() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    for (String head :
        List.of(
            PREFLIGHT.formatted("/files/f", "https://other.example", "PUT"),
            PREFLIGHT.formatted("/ferry.v1.Files/Stat", "https://other.example", "POST"),
            "GET /files/f HTTP/1.1\r\nOrigin: https://other.example\r\n")) {
      assertThat(exchange(CrossOrigin.NONE, head))
          .startsWith("HTTP/1.1 403 ")
          .doesNotContainIgnoringCase("access-control-allow");
    }
  }

  @Test
  void otherOrigin_whereAllowed_mayCallAndReadStatuses() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    CrossOrigin allowed = new CrossOrigin(List.of("https://other.example"));
    for (CrossOrigin some : List.of(allowed, CrossOrigin.ANY)) {
      assertThat(
              exchange(
                  some,
                  PREFLIGHT.formatted("/ferry.v1.Files/Stat", "https://other.example", "POST")))
          .startsWith("HTTP/1.1 200 ")
          .containsIgnoringCase("access-control-allow-origin: ")
          .containsIgnoringCase("x-grpc-web");
      assertThat(exchange(some, "GET /files/f HTTP/1.1\r\nOrigin: https://other.example\r\n"))
          .containsIgnoringCase("access-control-allow-origin: ")
          .doesNotContainIgnoringCase("cross-origin-resource-policy")
          .containsPattern("(?i)access-control-expose-headers: .*etag")
          .endsWith("hello");
      assertThat(
              exchange(
                  some,
                  "POST /ferry.v1.Files/No HTTP/1.1\r\nOrigin: https://other.example\r\n"
                      + "Content-Type: application/grpc-web+proto\r\nContent-Length: 0\r\n"))
          .containsPattern("(?i)access-control-expose-headers: .*grpc-status")
          .contains("grpc-status: 12\r\n");
    }
    assertThat(exchange(allowed, PREFLIGHT.formatted("/files/f", "https://evil.example", "PUT")))
        .doesNotContainIgnoringCase("access-control-allow-origin");
  }
}
