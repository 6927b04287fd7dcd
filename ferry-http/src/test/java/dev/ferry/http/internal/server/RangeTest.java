package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.Digest;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.net.internal.RawHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parts of files, entity tags, and conditions on them, over both protocols. */
@Timeout(60)
class RangeTest {
  private static final int SIZE = 600_000;

  @TempDir Path root;
  private final byte[] bytes = TestFiles.compressible(SIZE);
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpFilesServer server;

  @BeforeEach
  void start() throws IOException {
    Files.write(root.resolve("f"), bytes);
    server = HttpFilesServer.start(LocalFileStore.open(root), "localhost", 0, 4096);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<byte[]> send(Version version, String method, String... fields)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/files/f"))
            .version(version)
            .method(method, method.equals("PUT") ? BodyPublishers.ofString("new") : noBody());
    if (fields.length > 0) {
      request.headers(fields);
    }
    HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
    if (!method.equals("PUT")) {
      assertThat(response.version()).isEqualTo(version);
    }
    return response;
  }

  private static HttpRequest.BodyPublisher noBody() {
    return BodyPublishers.noBody();
  }

  private String tag(String... fields) throws Exception {
    return field(send(Version.HTTP_1_1, "HEAD", fields), "ETag");
  }

  private static String field(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  private void assertWhole(HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(field(response, "Content-Range")).isEmpty();
    assertThat(response.body()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @EnumSource
  void get_range_isThatPartOfTheFile(Version version) throws Exception {
    String tag = tag();
    int[][] parts = {{0, 0}, {10, 499_999}, {300_000, SIZE - 1}, {SIZE - 1, SIZE - 1}};
    for (int[] part : parts) {
      String range = "bytes=" + part[0] + "-" + (part[1] == SIZE - 1 ? "" : part[1]);
      var response = send(version, "GET", "Range", range, "Accept-Encoding", "gzip");
      assertThat(response.statusCode()).isEqualTo(206);
      assertThat(field(response, "Content-Range"))
          .isEqualTo("bytes " + part[0] + "-" + part[1] + "/" + SIZE);
      assertThat(field(response, "Content-Length")).isEqualTo("" + (part[1] - part[0] + 1));
      assertThat(field(response, "Content-Encoding")).isEmpty();
      assertThat(field(response, "ETag")).isEqualTo(tag);
      assertThat(response.body()).isEqualTo(Arrays.copyOfRange(bytes, part[0], part[1] + 1));
    }
    var suffix = send(version, "GET", "Range", "bytes=-20000");
    assertThat(suffix.body()).isEqualTo(Arrays.copyOfRange(bytes, SIZE - 20_000, SIZE));
    assertWhole(send(version, "GET"));
  }

  @ParameterizedTest
  @EnumSource
  void get_rangeBehindTheEnd_saysTheSize(Version version) throws Exception {
    var response = send(version, "GET", "Range", "bytes=" + SIZE + "-");
    assertThat(response.statusCode()).isEqualTo(416);
    assertThat(field(response, "Content-Range")).isEqualTo("bytes */" + SIZE);
    assertThat(field(response, HttpRoutes.ERROR)).isEqualTo("urn:ferry:error:invalid-request");
    assertWhole(send(version, "GET"));
  }

  @ParameterizedTest
  @EnumSource
  void get_malformedOrSeveralRanges_isTheWholeFile(Version version) throws Exception {
    for (String range : List.of("bytes=5-4", "bytes=0-1,5-6", "lines=1-2", "bytes=a-")) {
      assertWhole(send(version, "GET", "Range", range));
    }
  }

  @ParameterizedTest
  @EnumSource
  void get_ifRange_isAPartOfThatVersionAlone(Version version) throws Exception {
    String tag = tag();
    String date = field(send(version, "HEAD"), "Last-Modified");
    var part = send(version, "GET", "Range", "bytes=0-9", "If-Range", tag);
    assertThat(part.statusCode()).isEqualTo(206);
    for (String other : List.of("\"other\"", "W/" + tag, date, tag.replace("\"", ""))) {
      assertWhole(send(version, "GET", "Range", "bytes=0-9", "If-Range", other));
    }
  }

  @ParameterizedTest
  @EnumSource
  void head_range_isIgnored(Version version) throws Exception {
    var response = send(version, "HEAD", "Range", "bytes=0-9");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(field(response, "Content-Length")).isEqualTo("" + SIZE);
    assertThat(field(response, "Accept-Ranges")).isEqualTo("bytes");
  }

  @ParameterizedTest
  @EnumSource
  void getAndHead_ifNoneMatch_sayNotModified(Version version) throws Exception {
    String tag = tag();
    for (String method : List.of("GET", "HEAD")) {
      for (String tags : List.of(tag, "W/" + tag, "\"a,b\", " + tag, "*")) {
        var response = send(version, method, "If-None-Match", tags);
        assertThat(response.statusCode()).isEqualTo(304);
        assertThat(field(response, "ETag")).isEqualTo(tag);
        assertThat(response.body()).isEmpty();
      }
      var other = send(version, method, "If-None-Match", "\"other\", garbage");
      assertThat(other.statusCode()).isEqualTo(200);
      // The tag of the plain file is not that of its gzip form.
      var gzip = send(version, method, "If-None-Match", tag, "Accept-Encoding", "gzip");
      assertThat(gzip.statusCode()).isEqualTo(200);
      String gzipTag = tag("Accept-Encoding", "gzip");
      var same = send(version, method, "If-None-Match", gzipTag, "Accept-Encoding", "gzip");
      assertThat(same.statusCode()).isEqualTo(304);
    }
    assertWhole(send(version, "GET"));
  }

  @ParameterizedTest
  @EnumSource
  void anyMethod_ifMatchOfAnotherVersion_isRefused(Version version) throws Exception {
    for (String method : List.of("GET", "HEAD", "PUT")) {
      for (String tags : List.of("\"other\"", "W/" + tag())) {
        var response = send(version, method, "If-Match", tags);
        assertThat(response.statusCode()).isEqualTo(412);
        assertThat(field(response, HttpRoutes.ERROR)).isEqualTo("urn:ferry:error:version-mismatch");
      }
      assertThat(root.resolve("f")).hasBinaryContent(bytes);
    }
    assertWhole(send(version, "GET", "If-Match", "\"other\", " + tag()));
    assertThat(send(version, "PUT", "If-None-Match", tag()).statusCode()).isEqualTo(412);
  }

  @Test
  void put_ifMatch_replacesThatVersionAlone() throws Exception {
    for (String coding : List.of("identity", "gzip", "*")) {
      String tags = coding.equals("*") ? coding : tag("Accept-Encoding", coding);
      assertThat(send(Version.HTTP_1_1, "PUT", "If-Match", tags).statusCode()).isEqualTo(204);
      assertThat(root.resolve("f")).hasContent("new");
      Files.write(root.resolve("f"), bytes);
    }
    Files.delete(root.resolve("f"));
    assertThat(send(Version.HTTP_1_1, "PUT", "If-Match", "*").statusCode()).isEqualTo(412);
    assertThat(TestFiles.names(root)).isEmpty();
  }

  @Test
  void put_ifUnmodifiedSince_isRefusedAndNotIgnored() throws Exception {
    String date = "Sat, 29 Oct 1994 19:43:31 GMT";

    assertThat(send(Version.HTTP_1_1, "PUT", "If-Unmodified-Since", date).statusCode())
        .isEqualTo(400);
    assertThat(root.resolve("f")).hasBinaryContent(bytes);
  }

  @Test
  void put_ifMatchAndTheFileChangesDuringTheUpload_isRefused() throws Exception {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nIf-Match: %s\r\n"
                  .formatted(tag())
              + "Expect: 100-continue\r\n\r\n");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
      Files.writeString(root.resolve("f"), "another");
      raw.send("new");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 412 ");
    }
    assertThat(root.resolve("f")).hasContent("another");
    assertThat(TestFiles.names(root)).containsExactly("f");
  }

  @Test
  void entityTag_ofEachVersion_isAnother() throws Exception {
    Path file = root.resolve("f");
    FileTime time = FileTime.from(Instant.parse("2026-01-02T03:04:05.123456789Z"));
    Files.setLastModifiedTime(file, time);
    String first = tag();
    assertThat(tag()).isEqualTo(first);
    Files.setLastModifiedTime(file, FileTime.from(time.toInstant().plusNanos(1)));
    String touched = tag();
    Path copy = Files.write(root.resolve("copy"), bytes);
    Files.setLastModifiedTime(copy, time);
    Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
    assertThat(List.of(first, touched, tag())).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void get_rangeOfAFileWithADigest_hasTheDigestOfTheWhole(Version version) throws Exception {
    Digest digest = Digest.Algorithm.CRC32C.ofFile(root.resolve("f"));
    String want = HttpRoutes.wantField(Digest.Algorithm.CRC32C);
    var part = send(version, "GET", "Range", "bytes=0-9", HttpRoutes.WANT_UNENCODED_DIGEST, want);
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(
            field(
                send(version, "HEAD", HttpRoutes.WANT_UNENCODED_DIGEST, want),
                HttpRoutes.UNENCODED_DIGEST))
        .isEqualTo(HttpRoutes.digestField(digest));
    var later = send(version, "GET", "Range", "bytes=0-9");
    assertThat(field(later, HttpRoutes.UNENCODED_DIGEST)).isEqualTo(HttpRoutes.digestField(digest));
  }
}
