package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.internal.Action;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server as any client sees it, well-behaved or not. */
class HttpFilesServerTest {
  private static final long MAX_BYTES = 3_000_000;
  private static final String MAKING = "Ferry-Make-Parents: ?1";

  @TempDir Path temporary;
  private Path root;
  private HttpFilesServer server;

  @BeforeEach
  void start() throws IOException {
    root = Files.createDirectory(temporary.resolve("root"));
    Files.writeString(temporary.resolve("secret"), "secret");
    LocalFileStore store =
        LocalFileStore.open(
            root, SinkOptions.DEFAULT.withLimits(ReceiveLimits.OWN.withMaxFileSize(MAX_BYTES)));
    server = HttpFilesServer.start(store, "localhost", 0, 4096, ServerSettings.defaults());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String exchange(String head, byte[] body) throws IOException {
    return RawHttp.exchange(server.port(), head, body);
  }

  private String exchange(String head) throws IOException {
    return RawHttp.exchange(server.port(), head);
  }

  private static String put(String path, byte[] body, String... fields) {
    StringBuilder head =
        new StringBuilder("PUT " + path + " HTTP/1.1\r\nContent-Length: " + body.length + "\r\n");
    for (String field : fields) {
      head.append(field).append("\r\n");
    }
    return head.toString();
  }

  private static void assertProblem(String response, int status, String kind) {
    assertThat(response)
        .startsWith("HTTP/1.1 " + status + " ")
        .containsIgnoringCase("Content-Type: application/problem+json")
        .contains("\"type\":\"urn:ferry:error:" + kind + "\"")
        .contains("\"status\":" + status)
        .contains("\"detail\":\"");
  }

  @Test
  void get_file_hasItsFactsAndBytes() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    Files.setLastModifiedTime(
        root.resolve("f"), FileTime.from(Instant.parse("2026-01-02T03:04:05.678Z")));

    Files.setPosixFilePermissions(root.resolve("f"), PosixFilePermissions.fromString("rw-r-----"));

    String response = exchange("GET /files/f?x=1 HTTP/1.1\r\n");

    assertThat(response)
        .startsWith("HTTP/1.1 200 OK\r\n")
        .containsIgnoringCase("content-length: 5\r\n")
        .containsIgnoringCase("last-modified: Fri, 02 Jan 2026 03:04:05 GMT\r\n")
        .containsIgnoringCase("accept-ranges: bytes\r\n")
        .containsIgnoringCase("vary: accept-encoding\r\n")
        .contains("Ferry-Last-Modified: 2026-01-02T03:04:05.678Z\r\n")
        .contains("Ferry-Mode: 640\r\n")
        .containsIgnoringCase("etag: \"5-")
        .doesNotContain("Unencoded-Digest")
        .endsWith("\r\n\r\nhello");
  }

  @Test
  void head_file_sameFieldsAsGet() throws Exception {
    Files.write(root.resolve("f"), TestFiles.compressible(10_000));
    HttpClient client = HttpClient.newHttpClient();
    for (String coding : new String[] {"identity", "gzip", "gzip;q=0", "br, gzip;q=0.5"}) {
      var get = client.send(request("f", coding).GET().build(), ofBytes());
      var head =
          client.send(
              request("f", coding).method("HEAD", HttpRequest.BodyPublishers.noBody()).build(),
              ofBytes());
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
      assertThat(withoutDate(head)).isEqualTo(withoutDate(get));
      boolean gzip = coding.endsWith("gzip") || coding.endsWith("0.5");
      assertThat(get.headers().firstValue("Content-Encoding").isPresent()).isEqualTo(gzip);
      byte[] body = get.body();
      byte[] plain =
          gzip ? new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes() : body;
      assertThat(plain).isEqualTo(TestFiles.compressible(10_000));
    }
  }

  private static Map<String, List<String>> withoutDate(HttpResponse<?> response) {
    Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    fields.putAll(response.headers().map());
    fields.remove("Date");
    return fields;
  }

  private HttpRequest.Builder request(String file, String coding) {
    return HttpRequest.newBuilder(
            URI.create("http://localhost:" + server.port() + "/files/" + file))
        .version(HttpClient.Version.HTTP_1_1)
        .header("Accept-Encoding", coding);
  }

  private static HttpResponse.BodyHandler<byte[]> ofBytes() {
    return HttpResponse.BodyHandlers.ofByteArray();
  }

  @ParameterizedTest
  @EnumSource(Digest.Algorithm.class)
  @Timeout(300)
  void get_wantsDigest_computesItBesideTheBody(Digest.Algorithm algorithm) throws Exception {
    Path file = Files.writeString(root.resolve("f"), "hello");
    String field = "Unencoded-Digest: " + HttpRoutes.digestField(algorithm.ofFile(file));
    String want = "Want-Unencoded-Digest: " + HttpRoutes.wantField(algorithm);

    assertThat(exchange("GET /files/f HTTP/1.1\r\n" + want + "\r\n")).endsWith("\r\n\r\nhello");

    while (!exchange("HEAD /files/f HTTP/1.1\r\n").contains(field)) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @EnumSource(Digest.Algorithm.class)
  void head_wantsDigest_getsItAndLaterGetsHaveItToo(Digest.Algorithm algorithm) throws IOException {
    Path file = Files.writeString(root.resolve("f"), "hello");
    String field = "Unencoded-Digest: " + HttpRoutes.digestField(algorithm.ofFile(file));
    String want = "Want-Unencoded-Digest: " + HttpRoutes.wantField(algorithm);

    assertThat(exchange("HEAD /files/f HTTP/1.1\r\n" + want + "\r\n"))
        .contains(field)
        .endsWith("\r\n\r\n");
    assertThat(exchange("GET /files/f HTTP/1.1\r\n")).contains(field);
  }

  @ParameterizedTest
  @CsvSource({"CRC32C, HEAD", "CRC32C, GET", "SHA256, HEAD", "SHA256, GET"})
  void noCache_afterAChangeThatDoesNotShow_getsTheDigestOfTheBytes(
      Digest.Algorithm algorithm, String method) throws Exception {
    Path file = Files.writeString(root.resolve("f"), "hello");
    Action<Exception> change =
        dev.ferry.core.TestFiles.unseenChange(file, "other".getBytes(StandardCharsets.UTF_8));
    String request = " /files/f HTTP/1.1\r\nWant-Unencoded-Digest: ";
    String want = request + HttpRoutes.wantField(algorithm) + "\r\n";
    String noCache = "Cache-Control: max-age=0, no-cache\r\n";
    String before = "Unencoded-Digest: " + HttpRoutes.digestField(algorithm.ofFile(file));
    assertThat(exchange("HEAD" + want)).contains(before);
    change.run();
    String now = "Unencoded-Digest: " + HttpRoutes.digestField(algorithm.ofFile(file));

    assertThat(exchange("HEAD /files/f HTTP/1.1\r\n" + noCache)).doesNotContain("Digest");
    assertThat(exchange(method + want + noCache)).contains(now);
    assertThat(exchange("HEAD" + want)).contains(now);
  }

  @Test
  void conditions_afterAChangeThatKeepsTheTime_areFalse() throws Exception {
    Path file = Files.writeString(root.resolve("f"), "hello");
    String before = exchange("HEAD /files/f HTTP/1.1\r\n");
    String tag = before.replaceFirst("(?is).*?etag: (\"[^\"]*\").*", "$1");
    assertThat(exchange("GET /files/f HTTP/1.1\r\nIf-None-Match: " + tag + "\r\n"))
        .startsWith("HTTP/1.1 304 ");

    dev.ferry.core.TestFiles.changeKeepingTime(file, "other".getBytes(StandardCharsets.UTF_8));

    assertThat(exchange("GET /files/f HTTP/1.1\r\nIf-None-Match: " + tag + "\r\n"))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("other");
    assertThat(exchange("GET /files/f HTTP/1.1\r\nRange: bytes=1-\r\nIf-Range: " + tag + "\r\n"))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("other");
    assertThat(exchange("GET /files/f HTTP/1.1\r\nIf-Match: " + tag + "\r\n"))
        .startsWith("HTTP/1.1 412 ");
    assertThat(exchange(put("/files/f", new byte[1], "If-Match: " + tag), new byte[1]))
        .startsWith("HTTP/1.1 412 ");
    assertThat(file).hasContent("other");
  }

  @Test
  void get_emptyFile_emptyBodyPlainAndGzip() throws IOException {
    Files.createFile(root.resolve("f"));

    assertThat(exchange("GET /files/f HTTP/1.1\r\n"))
        .containsIgnoringCase("content-length: 0\r\n")
        .endsWith("\r\n\r\n");
    assertThat(exchange("GET /files/f HTTP/1.1\r\nAccept-Encoding: gzip\r\n"))
        .endsWith("\r\n0\r\n\r\n");
    assertThat(exchange("GET /files/f HTTP/1.0\r\nAccept-Encoding: gzip\r\n"))
        .containsIgnoringCase("content-length: 0\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/files/../secret",
        "/files/%2e%2e/secret",
        "/files/..%2fsecret",
        "/files/a/../../secret",
        "/files//etc/passwd",
        "/files/./f",
        "/files/%00",
        "/files/a%",
        "/files/%zz",
        "/files/a//b",
        "/files/..",
        "/files/.ferry-1",
      })
  void anyMethod_pathOutOfTheStore_invalidPath(String path) throws IOException {
    assertProblem(exchange("GET " + path + " HTTP/1.1\r\n"), 400, "invalid-path");
    assertThat(exchange("HEAD " + path + " HTTP/1.1\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .contains("Ferry-Error: urn:ferry:error:invalid-path\r\n");
    assertProblem(exchange(put(path, new byte[1]), new byte[1]), 400, "invalid-path");
    assertThat(temporary.resolve("secret")).hasContent("secret");
    assertThat(TestFiles.names(root)).isEmpty();
  }

  @Test
  void get_otherRoutesAndForms_haveTheirStatus() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    assertProblem(exchange("GET /filesx/f HTTP/1.1\r\n"), 404, "not-found");
    assertProblem(exchange("GET * HTTP/1.1\r\n"), 404, "not-found");
    assertProblem(exchange("GET /files/no HTTP/1.1\r\n"), 404, "not-found");
    assertThat(exchange("GET http://localhost/files/f HTTP/1.1\r\n")).endsWith("hello");
  }

  @Test
  void patch_notAllowed_namesWhatIs() throws IOException {
    String response = exchange("PATCH /files/f HTTP/1.1\r\n");
    assertProblem(response, 405, "invalid-request");
    assertThat(response)
        .containsIgnoringCase("allow: OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, COPY, MOVE, ");
    assertThat(exchange("PATCH /files/ HTTP/1.1\r\n"))
        .containsIgnoringCase("allow: OPTIONS, GET, HEAD, DELETE, MKCOL, COPY, MOVE, ");
  }

  @Test
  void get_directory_listsAsJson() throws IOException {
    Files.createDirectory(root.resolve("d"));
    Path file = Files.writeString(root.resolve("d/f"), "hello");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("--------x"));
    assertThat(exchange("GET /files/d/ HTTP/1.1\r\n"))
        .containsIgnoringCase("content-type: application/json")
        .containsIgnoringCase("transfer-encoding: chunked")
        .contains("[{\"name\":\"d/f\",\"size\":5,\"lastModified\":\"")
        .endsWith("\"directory\":false,\"mode\":\"001\"}]\r\n0\r\n\r\n");
    assertThat(exchange("GET /files/ HTTP/1.1\r\n")).contains("\"directory\":true,\"mode\":\"7");
    assertProblem(exchange("GET /files/no/ HTTP/1.1\r\n"), 404, "not-found");
  }

  @Test
  void get_directoryByHttp10_endsWithTheConnection() throws IOException {
    Path file = Files.writeString(root.resolve("f"), "hello");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThat(exchange("GET /files/ HTTP/1.0\r\nConnection: keep-alive\r\n"))
        .doesNotContainIgnoringCase("transfer-encoding")
        .containsIgnoringCase("connection: close")
        .contains("\r\n\r\n[{\"name\":\"f\"")
        .endsWith("\"directory\":false,\"mode\":\"640\"}]");
  }

  @Test
  void put_newThenOld_createdThenReplaced() throws IOException {
    byte[] body = TestFiles.random(100_000);
    assertProblem(exchange(put("/files/d/f", body), body), 404, "not-found");
    assertThat(exchange(put("/files/d/f", body, MAKING), body))
        .startsWith("HTTP/1.1 201 Created\r\n")
        .containsIgnoringCase("etag: \"");
    byte[] next = TestFiles.random(10);
    assertThat(exchange(put("/files/d/f", next), next))
        .startsWith("HTTP/1.1 204 No Content\r\n")
        .containsIgnoringCase("etag: \"a-");
    assertThat(root.resolve("d/f")).binaryContent().isEqualTo(next);
    assertProblem(
        exchange(put("/files/d/f", body, "If-None-Match: *"), body), 412, "already-exists");
    assertProblem(exchange(put("/files/d", body, "If-None-Match: *"), body), 412, "already-exists");
    assertProblem(exchange(put("/files/d", body), body), 409, "already-exists");
    assertThat(root.resolve("d/f")).binaryContent().isEqualTo(next);
  }

  @Test
  void put_chunked_stored() throws IOException {
    String head = "PUT /files/f HTTP/1.1\r\nTransfer-Encoding: chunked\r\n";
    String response =
        exchange(
            head,
            "5\r\nhello\r\n1;x=y\r\n!\r\n0\r\nTrailer: x\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    assertThat(response).startsWith("HTTP/1.1 201 ");
    assertThat(root.resolve("f")).hasContent("hello!");

    assertProblem(
        exchange(head, "zz\r\nhello\r\n".getBytes(StandardCharsets.UTF_8)), 400, "invalid-request");
    assertThat(root.resolve("f")).hasContent("hello!");
  }

  private static final Charset UTF_8 = StandardCharsets.UTF_8;

  @ParameterizedTest
  @EnumSource(Digest.Algorithm.class)
  void put_digest_checkedOverTheUnencodedFile(Digest.Algorithm algorithm) throws IOException {
    byte[] body = TestFiles.compressible(500_000);
    byte[] gzip = TestFiles.gzip(body);
    Path file = Files.write(temporary.resolve("copy"), body);
    String right = "Unencoded-Digest: " + HttpRoutes.digestField(algorithm.ofFile(file));
    String wrong =
        "Unencoded-Digest: "
            + HttpRoutes.digestField(algorithm.ofFile(temporary.resolve("secret")));

    assertThat(exchange(put("/files/a", body, right), body)).startsWith("HTTP/1.1 201 ");
    assertThat(exchange(put("/files/b", gzip, right, "Content-Encoding: gzip"), gzip))
        .startsWith("HTTP/1.1 201 ");
    assertProblem(exchange(put("/files/c", body, wrong), body), 422, "digest-mismatch");
    assertProblem(
        exchange(put("/files/c", body, "Unencoded-Digest: sha-256=x"), body),
        400,
        "invalid-request");
    assertThat(TestFiles.names(root)).containsExactly("a", "b");
    assertThat(root.resolve("b")).binaryContent().isEqualTo(body);
  }

  @ParameterizedTest
  @CsvSource({
    "Repr-Digest, CRC32C",
    "Repr-Digest, SHA256",
    "Content-Digest, CRC32C",
    "Content-Digest, SHA256"
  })
  void put_digestOfRfc9530_checkedWithoutAContentCoding(String name, Digest.Algorithm algorithm)
      throws IOException {
    byte[] body = TestFiles.compressible(500_000);
    byte[] gzip = TestFiles.gzip(body);
    Path file = Files.write(temporary.resolve("copy"), body);
    String right = name + ": " + HttpRoutes.digestField(algorithm.ofFile(file));
    String wrong =
        name + ": " + HttpRoutes.digestField(algorithm.ofFile(temporary.resolve("secret")));
    String unknown = name + ": sha-512=:AAAA:, unixsum=1";

    assertThat(exchange(put("/files/a", body, right), body)).startsWith("HTTP/1.1 201 ");
    assertThat(exchange(put("/files/b", body, unknown), body)).startsWith("HTTP/1.1 201 ");
    // These are digests of the gzip stream.
    assertThat(exchange(put("/files/c", gzip, wrong, "Content-Encoding: gzip"), gzip))
        .startsWith("HTTP/1.1 201 ");
    assertProblem(exchange(put("/files/d", body, wrong), body), 422, "digest-mismatch");
    assertProblem(exchange(put("/files/d", body, unknown, wrong), body), 422, "digest-mismatch");
    assertProblem(
        exchange(put("/files/d", body, wrong, right.replace(name, "Unencoded-Digest")), body),
        422,
        "digest-mismatch");
    assertProblem(
        exchange(put("/files/d", body, name + ": crc32c=x"), body), 400, "invalid-request");
    assertThat(TestFiles.names(root)).containsExactly("a", "b", "c");
  }

  @Test
  void put_badGzip_refusedAndNothingLeft() throws IOException {
    byte[] good = TestFiles.gzip(TestFiles.random(600_000));
    byte[] corrupt = good.clone();
    corrupt[300_000] ^= 1;
    byte[] trailing = Arrays.copyOf(good, good.length + 3);
    trailing[good.length] = 'x';
    byte[] cut = Arrays.copyOf(good, good.length - 1);
    byte[] bomb = TestFiles.gzip(new byte[(int) MAX_BYTES + 1]);

    assertProblem(putGzip(corrupt), 400, "invalid-request");
    assertProblem(putGzip(trailing), 400, "invalid-request");
    assertProblem(
        putGzip("no gzip at all".getBytes(StandardCharsets.UTF_8)), 400, "invalid-request");
    assertProblem(putGzip(cut), 400, "incomplete");
    assertProblem(putGzip(Arrays.copyOf(good, 5)), 400, "incomplete");
    assertProblem(putGzip(new byte[0]), 400, "incomplete");
    assertProblem(putGzip(bomb), 413, "too-large");
    assertThat(TestFiles.names(root)).isEmpty();
  }

  private String putGzip(byte[] body) throws IOException {
    return exchange(put("/files/f", body, "Content-Encoding: gzip"), body);
  }

  @Test
  void put_otherCodingOrPart_refused() throws IOException {
    byte[] body = new byte[10];
    String response = exchange(put("/files/f", body, "Content-Encoding: br"), body);
    assertProblem(response, 415, "invalid-request");
    assertThat(response).containsIgnoringCase("accept-encoding: gzip\r\n");
    assertProblem(
        exchange(put("/files/f", body, "Content-Range: bytes 0-9/20"), body),
        400,
        "invalid-request");
    assertThat(TestFiles.names(root)).isEmpty();
  }

  @Test
  void put_expectsContinue_isToldOrRefused() throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 Continue");
      raw.send("hello");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 201 ");
    }
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nIf-None-Match: *\r\n"
              + "Expect: 100-continue\r\n\r\n");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 412 ");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100_000, 900_000})
  void put_cut_leavesNothing(int sent) throws IOException {
    for (String coding : List.of("identity", "gzip")) {
      byte[] gzip = TestFiles.gzip(TestFiles.random(1_000_000));
      try (RawHttp raw = new RawHttp(server.port())) {
        raw.send(
            "PUT /files/%s/f HTTP/1.1\r\nHost: localhost\r\n%s\r\nContent-Encoding: %s\r\nContent-Length: 1000000\r\n\r\n"
                .formatted(coding, MAKING, coding));
        raw.send(Arrays.copyOf(gzip, sent));
      }
    }
    server.close();
    assertThat(TestFiles.names(root)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rubbish\r\n\r\n",
        "GET /files/f HTTP/9.x\r\n\r\n",
        "GET /files/f HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n",
        "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      })
  void anyRequest_malformed_refusedAndClosed(String request) throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(request);
      assertProblem(raw.readAll(), 400, "invalid-request");
    }
    assertThat(TestFiles.names(root)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xchunked",
        "\"chunked\"",
        "identity",
        "gzip, chunked",
        "chunked, chunked",
        "chunked;q=1",
        "chunked\r\nTransfer-Encoding: chunked",
        "identity\r\nContent-Length: 70",
        ""
      })
  void put_codingThatIsNotExactlyChunked_isRefusedAndEndsTheConnection(String coding)
      throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
              + coding
              + "\r\n\r\n2d\r\n"
              + "PUT /files/g HTTP/1.1\r\nHost: localhost\r\n\r\n0\r\n\r\n");
      String response = raw.readAll();
      assertProblem(response, 501, "invalid-request");
      assertThat(response).containsOnlyOnce("HTTP/1.1 ");
    }
    assertThat(TestFiles.names(root)).isEmpty();
  }

  @Test
  void get_malformedBodyThatNobodyTakes_getsAResponseAndIsClosed() throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "GET /files/no HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nrubbish\r\n"
              + "GET /files/no HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertProblem(raw.readAll(), 404, "not-found");
    }
  }

  @Test
  void get_tooLong_refused() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    assertThat(exchange("GET /files/f HTTP/1.1\r\nX: " + "a".repeat(30_000) + "\r\n"))
        .endsWith("hello");
    assertProblem(
        exchange("GET /files/" + "a".repeat(20_000) + " HTTP/1.1\r\n"), 414, "invalid-request");
    for (int bytes : new int[] {33_000, 3_000_000}) {
      String refusal = exchange("GET /files/f HTTP/1.1\r\nX: " + "a".repeat(bytes) + "\r\n");
      assertProblem(refusal, 431, "invalid-request");
      assertThat(refusal).contains("more than 32768 bytes; send fewer, or a shorter token");
    }
  }

  @Test
  void requests_pipelined_getResponsesInOrderOnOneConnection() throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello"
              + "GET /files/f HTTP/1.1\r\nHost: localhost\r\n\r\n"
              + "GET /files/no HTTP/1.1\r\nHost: localhost\r\n\r\n"
              + "GET /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"
              + "HEAD /files/f HTTP/1.1\r\nHost: localhost\r\n\r\n"
              + "GET /files/f HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
              + "GET /files/f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      String responses = raw.readAll();
      assertThat(responses.split("HTTP/1.1 ", -1))
          .satisfiesExactly(
              a -> assertThat(a).isEmpty(),
              a -> assertThat(a).startsWith("201"),
              a -> assertThat(a).startsWith("200").endsWith("hello"),
              a -> assertThat(a).startsWith("404"),
              a -> assertThat(a).startsWith("200").endsWith("hello"),
              a -> assertThat(a).startsWith("200").endsWith("\r\n\r\n"),
              a -> assertThat(a).startsWith("200").endsWith("\r\n0\r\n\r\n"),
              a -> assertThat(a).startsWith("200").endsWith("hello"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip"})
  void get_clientGone_serverGoesOn(String coding) throws IOException {
    Files.write(root.resolve("big"), TestFiles.random(30_000_000));
    for (int i = 0; i < 5; i++) {
      try (RawHttp raw = new RawHttp(server.port())) {
        raw.send(
            "GET /files/big HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: "
                + coding
                + "\r\n\r\n");
        raw.readUntil("\r\n\r\n");
      }
    }
    assertThat(exchange("GET /files/ HTTP/1.1\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip"})
  void close_slowReader_isCut(String coding) throws IOException {
    Files.write(root.resolve("big"), TestFiles.random(30_000_000));
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "GET /files/big HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: " + coding + "\r\n\r\n");
      raw.readUntil("\r\n\r\n");
      server.close();
      assertThatCode(() -> assertThat(raw.readAll().length()).isLessThan(30_000_000))
          .satisfiesAnyOf(
              e -> assertThat(e).isNull(), e -> assertThat(e).isInstanceOf(IOException.class));
    }
  }

  @Test
  void start_unknownHost_saysWhere() throws FerryException {
    LocalFileStore store = LocalFileStore.open(root);
    assertThatCode(
            () -> HttpFilesServer.start(store, "host.invalid", 1, 4096, ServerSettings.defaults()))
        .isInstanceOf(FerryException.class)
        .hasMessageContaining("cannot listen on host.invalid:1");
  }
}
