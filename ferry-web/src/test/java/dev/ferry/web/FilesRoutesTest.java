package dev.ferry.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.FerryException;
import dev.ferry.core.LocalFileStore;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.Sha256;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.TestFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTTP routes as any client sees them, well-behaved or not. */
class FilesRoutesTest {
  private static final long MAX_BYTES = 3_000_000;
  private static final String MAKING = "Ferry-Make-Parents: ?1";

  @TempDir Path temporary;
  private Path root;
  private WebFilesServer server;

  @BeforeEach
  void start() throws IOException {
    root = Files.createDirectory(temporary.resolve("root"));
    Files.writeString(temporary.resolve("secret"), "secret");
    LocalFileStore store =
        LocalFileStore.open(
            root, SinkOptions.DEFAULT.withLimits(ReceiveLimits.OWN.withMaxFileSize(MAX_BYTES)));
    server = WebFilesServer.start(store, "localhost", 0);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String exchange(String head, byte[] body) throws IOException {
    return RawHttp.exchange(server.port(), head, body);
  }

  private String exchange(String head) throws IOException {
    return exchange(head, new byte[0]);
  }

  private static String put(String path, byte[] body, String... fields) {
    StringBuilder head =
        new StringBuilder("PUT " + path + " HTTP/1.1\r\nContent-Length: " + body.length + "\r\n");
    for (String field : fields) {
      head.append(field).append("\r\n");
    }
    return head.toString();
  }

  private static void assertProblem(String answer, int status, String kind) {
    assertThat(answer)
        .startsWith("HTTP/1.1 " + status + " ")
        .containsIgnoringCase("Content-Type: application/problem+json")
        .contains("\"type\":\"urn:ferry:error:" + kind + "\"")
        .contains("\"status\":" + status)
        .contains("\"detail\":\"");
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void get_eitherVersionAndCoding_givesTheFile(HttpClient.Version version) throws Exception {
    byte[] bytes = TestFiles.compressible(1_000_000, 1);
    Path file = Files.write(root.resolve("f"), bytes);
    // java.net.http upgrades an HTTP/1.1 connection.
    HttpClient client = HttpClient.newBuilder().version(version).build();
    for (String coding : new String[] {"identity", "gzip"}) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/files/f"))
              .header("Accept-Encoding", coding)
              .header("Want-Unencoded-Digest", "sha-256=10");
      var head =
          client.send(
              request.copy().method("HEAD", HttpRequest.BodyPublishers.noBody()).build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertThat(head.version()).isEqualTo(version);
      assertThat(head.body()).isEmpty();
      assertThat(head.headers().firstValue("unencoded-digest"))
          .hasValue(HttpRoutes.digestField(Sha256.ofFile(file)));
      var get = client.send(request.GET().build(), HttpResponse.BodyHandlers.ofByteArray());
      assertThat(get.statusCode()).isEqualTo(200);
      byte[] plain =
          coding.equals("gzip")
              ? new GZIPInputStream(new ByteArrayInputStream(get.body())).readAllBytes()
              : get.body();
      assertThat(plain).isEqualTo(bytes);
      for (String field : new String[] {"etag", "last-modified", "content-encoding", "vary"}) {
        assertThat(head.headers().firstValue(field)).isEqualTo(get.headers().firstValue(field));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/files/../secret",
        "/files/%2e%2e/secret",
        "/files/..%2fsecret",
        "/files/..%5csecret",
        "/files/a/../../secret",
        "/files//etc/passwd",
        "/files/./f",
        "/files/%00",
        "/files/a%",
        "/files/%zz",
        "/files/a//b",
        "/files/..",
        "/files/.ferry-1",
        "/files/a%0d%0ab",
      })
  void anyMethod_pathOutOfTheStore_invalidPath(String path) throws IOException {
    assertProblem(exchange("GET " + path + " HTTP/1.1\r\n"), 400, "invalid-path");
    assertThat(exchange("HEAD " + path + " HTTP/1.1\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .containsIgnoringCase("Ferry-Error: urn:ferry:error:invalid-path\r\n");
    assertProblem(exchange(put(path, new byte[1]), new byte[1]), 400, "invalid-path");
    assertThat(temporary.resolve("secret")).hasContent("secret");
    assertThat(TestFiles.tree(root)).isEmpty();
  }

  @Test
  void anyMethod_otherRoutes_answered() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    assertProblem(exchange("GET / HTTP/1.1\r\n"), 404, "not-found");
    assertProblem(exchange("GET /filesx/f HTTP/1.1\r\n"), 404, "not-found");
    assertProblem(exchange("GET /files/no HTTP/1.1\r\n"), 404, "not-found");
    assertThat(exchange("GET /files/f?x=1 HTTP/1.1\r\n"))
        .containsIgnoringCase("content-length: 5\r\n")
        .containsIgnoringCase("accept-ranges: none\r\n")
        .endsWith("\r\n\r\nhello");
    String answer = exchange("DELETE /files/f HTTP/1.1\r\n");
    assertProblem(answer, 405, "invalid-request");
    assertThat(answer).containsIgnoringCase("allow: GET, HEAD, PUT\r\n");
  }

  @Test
  void get_directory_listsAsJson() throws IOException {
    Files.createDirectory(root.resolve("d"));
    Files.writeString(root.resolve("d/f"), "hello");
    assertThat(exchange("GET /files/d/ HTTP/1.1\r\n"))
        .containsIgnoringCase("content-type: application/json")
        .contains("[{\"name\":\"d/f\",\"size\":5,\"lastModified\":\"")
        .endsWith("\"directory\":false}]\r\n0\r\n\r\n");
    assertProblem(exchange("GET /files/no/ HTTP/1.1\r\n"), 404, "not-found");
  }

  @Test
  void put_newThenOld_createdThenReplaced() throws IOException {
    byte[] body = TestFiles.random(100_000, 1);
    assertProblem(exchange(put("/files/d/f", body), body), 404, "not-found");
    assertThat(exchange(put("/files/d/f", body, MAKING), body))
        .startsWith("HTTP/1.1 201 Created\r\n")
        .containsIgnoringCase("etag: \"");
    byte[] next = TestFiles.random(10, 2);
    assertThat(exchange(put("/files/d/f", next), next))
        .startsWith("HTTP/1.1 204 No Content\r\n")
        .containsIgnoringCase("etag: \"a-");
    assertThat(root.resolve("d/f")).hasBinaryContent(next);
    assertProblem(
        exchange(put("/files/d/f", body, "If-None-Match: *"), body), 409, "already-exists");
    assertThat(root.resolve("d/f")).hasBinaryContent(next);
  }

  @Test
  void put_chunked_stored() throws IOException {
    String head = "PUT /files/f HTTP/1.1\r\nTransfer-Encoding: chunked\r\n";
    byte[] body = "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    assertThat(exchange(head, body)).startsWith("HTTP/1.1 201 ");
    assertThat(root.resolve("f")).hasContent("hello!");
  }

  @Test
  void put_refused_saysWhyAndLeavesNothing() throws IOException {
    byte[] body = new byte[10];
    assertProblem(
        exchange(put("/files/f", body, "Content-Encoding: br"), body), 415, "invalid-request");
    assertProblem(
        exchange(put("/files/f", body, "Content-Range: bytes 0-9/20"), body),
        400,
        "invalid-request");
    assertProblem(
        exchange(put("/files/f", body, "Content-Encoding: gzip"), body), 400, "invalid-request");
    assertProblem(
        exchange(put("/files/f", body, "Unencoded-Digest: sha-256=x"), body),
        400,
        "invalid-request");
    assertThat(TestFiles.tree(root)).isEmpty();
  }

  @Test
  void put_cut_leavesNothing() throws Exception {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/d/f HTTP/1.1\r\nHost: localhost\r\nFerry-Make-Parents: ?1\r\nContent-Length: 1000000\r\n\r\nhello");
    }
    TestFiles.awaitTree(root);
    TestFiles.awaitNothingOpen(root);
  }

  @Test
  void start_unknownHost_saysWhere() throws FerryException {
    LocalFileStore store = LocalFileStore.open(root);
    assertThatCode(() -> WebFilesServer.start(store, "host.invalid", 1))
        .isInstanceOf(FerryException.class)
        .hasMessageContaining("cannot listen on host.invalid:1");
  }

  @Test
  void start_portInUse_saysSo() throws FerryException {
    LocalFileStore store = LocalFileStore.open(root);
    assertThatCode(() -> WebFilesServer.start(store, "localhost", server.port()))
        .isInstanceOf(FerryException.class)
        .hasMessageContaining("is in use");
  }
}
