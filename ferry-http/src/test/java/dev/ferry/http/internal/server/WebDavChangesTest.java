package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the server answers clients of HTTP and WebDAV that change names. */
@Timeout(300)
class WebDavChangesTest {
  @TempDir Path root;

  @SuppressWarnings("NullAway.Init") // Started before each test.
  private HttpFilesServer server;

  @BeforeEach
  void start() throws Exception {
    ServerSettings settings = ServerSettings.defaults().withHostNames(List.of("files.example"));
    server = HttpFilesServer.start(LocalFileStore.open(root), "localhost", 0, 65536, settings);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String exchange(String head) throws IOException {
    return RawHttp.exchange(server.port(), head);
  }

  private static void assertProblem(String response, int status, String kind) {
    assertThat(response)
        .startsWith("HTTP/1.1 " + status + " ")
        .contains("\"type\":\"urn:ferry:error:" + kind + "\"");
  }

  @Test
  void delete_withConditions_isForThatVersionAlone() throws IOException {
    Files.createDirectories(root.resolve("d/sub"));
    Files.writeString(root.resolve("f"), "hello");
    assertProblem(exchange("DELETE /files/d HTTP/1.1\r\n"), 409, "not-empty");
    assertProblem(exchange("DELETE /files/ HTTP/1.1\r\n"), 400, "invalid-path");
    assertProblem(
        exchange("DELETE /files/f HTTP/1.1\r\nIf-Match: \"other\"\r\n"), 412, "version-mismatch");
    assertProblem(
        exchange("DELETE /files/no HTTP/1.1\r\nIf-Match: *\r\n"), 412, "version-mismatch");
    assertProblem(
        exchange("DELETE /files/f HTTP/1.1\r\nIf-Unmodified-Since: now\r\n"),
        400,
        "invalid-request");
    assertThat(root.resolve("f")).exists();
    Matcher tag =
        Pattern.compile("(?i)etag: (.*)\r").matcher(exchange("HEAD /files/f HTTP/1.1\r\n"));
    assertThat(tag.find()).isTrue();
    assertThat(exchange("DELETE /files/f HTTP/1.1\r\nIf-Match: " + tag.group(1) + "\r\n"))
        .startsWith("HTTP/1.1 204 ");
    assertThat(exchange("DELETE /files/d/sub/ HTTP/1.1\r\n")).startsWith("HTTP/1.1 204 ");
    assertProblem(exchange("DELETE /files/f HTTP/1.1\r\n"), 404, "not-found");
  }

  @Test
  void mkcol_hasTheStatusesOfWebdav() throws IOException {
    assertThat(exchange("MKCOL /files/d/ HTTP/1.1\r\n")).startsWith("HTTP/1.1 201 ");
    assertThat(exchange("MKCOL /files/d/e HTTP/1.1\r\n")).startsWith("HTTP/1.1 201 ");
    String existing = exchange("MKCOL /files/d HTTP/1.1\r\n");
    assertProblem(existing, 405, "already-exists");
    assertThat(existing).containsIgnoringCase("\r\nallow: ");
    assertProblem(exchange("MKCOL /files/no/d HTTP/1.1\r\n"), 409, "not-found");
    assertProblem(
        RawHttp.exchange(
            server.port(), "MKCOL /files/b HTTP/1.1\r\nContent-Length: 1\r\n", new byte[1]),
        415,
        "invalid-request");
    assertThat(exchange("MKCOL /files/x/y HTTP/1.1\r\nFerry-Make-Parents: ?1\r\n"))
        .startsWith("HTTP/1.1 201 ");
    assertThat(exchange("MKCOL /files/x/p HTTP/1.1\r\nFerry-Mode: 700\r\n"))
        .startsWith("HTTP/1.1 201 ");
    assertThat(Files.getPosixFilePermissions(root.resolve("x/p")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    for (String mode : List.of("", "0700", "4700", "70", "708", "u+x")) {
      String asked = "MKCOL /files/x/no HTTP/1.1\r\nFerry-Mode: " + mode + "\r\n";
      assertProblem(exchange(asked), 400, "invalid-request");
    }
    assertThat(TestFiles.names(root)).containsExactlyInAnyOrder("d", "d/e", "x", "x/p", "x/y");
  }

  @Test
  void put_link_makesItAndStoresNoBody() throws Exception {
    String link = "PUT /files/d/l HTTP/1.1\r\nFerry-Link: ..%2Fa%20b\r\n";
    assertThat(exchange(link))
        .startsWith("HTTP/1.1 201 ")
        .containsIgnoringCase("\r\nferry-link: ..%2fa%20b\r\n");
    assertThat(Files.readSymbolicLink(root.resolve("d/l"))).isEqualTo(Path.of("../a b"));
    assertProblem(
        RawHttp.exchange(server.port(), link + "Content-Length: 1\r\n", new byte[1]),
        415,
        "invalid-request");
    assertProblem(exchange("PUT /files/m HTTP/1.1\r\nFerry-Link: %zz\r\n"), 400, "invalid-request");
    assertThat(root.resolve("m")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "Destination: /files/new, 201",
    "Destination: /files/new?a=b, 201",
    "Destination: http://localhost/files/new, 201",
    "Destination: HTTP://LOCALHOST:80/files/new, 201",
    "Destination: https://files.example:8443/files/new, 201",
    "Destination: http://files.example.org/files/new, 400",
    "Destination: http://localhost:81/files/new, 400",
    "Destination: http://localhost@files.example/files/new, 400",
    "X-Forwarded-Host: example.org|Destination: http://example.org/files/new, 400",
    "Forwarded: host=example.org|Destination: http://example.org/files/new, 400",
    "Destination: /files/b, 412",
    "Destination: /files/b|Overwrite: F, 412",
    "Destination: /files/b|Overwrite: T, 204",
    "Destination: /files/d|Overwrite: T, 412",
    "Destination: /files/no/b, 409",
    "Destination: /files/new|If-Match: \"other\", 412",
    "Destination: http://example.org/files/new, 400",
    "Destination: /files/../new, 400",
    "Destination: new, 404",
    "Destination: http://localhost, 400",
    "Destination: http://localhost?a=b, 400",
    "Destination: /files/new|Destination: /files/b, 400",
    "Destination: /files/b|Overwrite: true, 400",
    "Overwrite: T, 400"
  })
  void move_hasTheStatusesOfWebdav(String fields, int status) throws IOException {
    Files.writeString(root.resolve("a"), "a");
    Files.writeString(root.resolve("b"), "b");
    Files.createDirectory(root.resolve("d"));
    String head = "MOVE /files/a HTTP/1.1\r\n" + fields.replace("|", "\r\n") + "\r\n";
    assertThat(exchange(head)).startsWith("HTTP/1.1 " + status + " ");
    assertThat(root.resolve("b")).hasContent(status == 204 ? "a" : "b");
    assertThat(Files.exists(root.resolve("a"))).isEqualTo(status >= 400);
    assertThat(Files.exists(root.resolve("new"))).isEqualTo(status == 201);
  }
}
