package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Digest;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.contract.HttpRoutes;
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
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of files, entity tags, and conditions on them, over both protocols. */
@Timeout(300)
class RangeTest {
  private static final int SIZE = 600_000;

  private static final String BEFORE = "Sat, 29 Oct 1994 19:43:30 GMT";
  private static final String DATE = "Sat, 29 Oct 1994 19:43:31 GMT";
  private static final String AFTER = "Sat, 29 Oct 1994 19:43:32 GMT";
  private static final Instant MODIFIED = Instant.parse("1994-10-29T19:43:31.5Z");

  @TempDir Path root;
  private final byte[] bytes = TestFiles.compressible(SIZE);
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpFilesServer server;

  @BeforeEach
  void start() throws IOException {
    write();
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root), "localhost", 0, 4096, ServerSettings.defaults());
  }

  private void write() throws IOException {
    Files.setLastModifiedTime(Files.write(root.resolve("f"), bytes), FileTime.from(MODIFIED));
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
  void response_aboutAFile_hasCachesAskEachTime(Version version) throws Exception {
    String tag = tag();
    assertAsked(200, send(version, "GET"));
    assertAsked(200, send(version, "HEAD"));
    assertAsked(200, send(version, "GET", "Accept-Encoding", "gzip"));
    assertAsked(206, send(version, "GET", "Range", "bytes=1-2"));
    assertAsked(304, send(version, "GET", "If-None-Match", tag));
    assertAsked(304, send(version, "HEAD", "If-Modified-Since", DATE));
  }

  private static void assertAsked(int status, HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(field(response, "Cache-Control")).isEqualTo("no-cache");
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
    var part = send(version, "GET", "Range", "bytes=0-9", "If-Range", tag);
    assertThat(part.statusCode()).isEqualTo(206);
    // A date may be that of two versions.
    for (String other : List.of("\"other\"", "W/" + tag, DATE, AFTER, tag.replace("\"", ""))) {
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
      assertThat(root.resolve("f")).binaryContent().isEqualTo(bytes);
    }
    assertWhole(send(version, "GET", "If-Match", "\"other\", " + tag()));
    assertThat(send(version, "PUT", "If-None-Match", tag()).statusCode()).isEqualTo(412);
  }

  @ParameterizedTest
  @EnumSource
  void put_ifNoneMatchWithMoreThanTheAsterisk_isRefused(Version version) throws Exception {
    for (List<String> lines :
        List.of(
            List.of("*, \"x\""),
            List.of("\"x\",*"),
            List.of("*", "\"x\""),
            List.of("\"x\"", "*"),
            List.of("*", "*"))) {
      String[] fields =
          lines.stream().flatMap(line -> Stream.of("If-None-Match", line)).toArray(String[]::new);
      assertThat(send(version, "PUT", fields).statusCode()).as("%s", lines).isEqualTo(400);
      assertThat(root.resolve("f")).binaryContent().isEqualTo(bytes);
    }
    assertThat(send(version, "PUT", "If-None-Match", "\"*\"").statusCode()).isEqualTo(204);
  }

  @Test
  void put_ifNoneMatchOfTheAsterisk_isFalseOnlyIfTheTargetExists() throws Exception {
    Files.createDirectory(root.resolve("d"));
    for (String target : List.of("f 412", "d 412", "f/below 409", "new 201")) {
      String[] pathAndStatus = target.split(" ");
      String head = "PUT /files/%s HTTP/1.1\r\nIf-None-Match: *\r\nContent-Length: 1\r\n";
      assertThat(
              RawHttp.exchange(server.port(), head.formatted(pathAndStatus[0]), new byte[1])
                  .lines()
                  .findFirst())
          .hasValueSatisfying(
              line -> assertThat(line).startsWith("HTTP/1.1 " + pathAndStatus[1] + " "));
    }
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

  @ParameterizedTest
  @EnumSource
  void getAndHead_ifModifiedSince_sayNotModified(Version version) throws Exception {
    String rfc850 = "Saturday, 29-Oct-94 19:43:31 GMT";
    String asctime = "Sat Oct 29 19:43:31 1994";
    for (String method : List.of("GET", "HEAD")) {
      for (String date : List.of(DATE, rfc850, asctime)) {
        var response = send(version, method, "If-Modified-Since", date);
        assertThat(response.statusCode()).as(date).isEqualTo(304);
        assertThat(response.body()).isEmpty();
      }
      String several = DATE + ", " + AFTER;
      // Whoever has a later version does not have this one.
      for (String date : List.of(BEFORE, AFTER, "now", "1994-10-29", DATE + " +0200", several)) {
        assertThat(send(version, method, "If-Modified-Since", date).statusCode())
            .as(date)
            .isEqualTo(200);
      }
      // An entity tag says more than a date.
      String other = "\"other\"";
      assertThat(
              send(version, method, "If-Modified-Since", DATE, "If-None-Match", other).statusCode())
          .isEqualTo(200);
      assertThat(
              send(version, method, "If-Modified-Since", BEFORE, "If-None-Match", tag())
                  .statusCode())
          .isEqualTo(304);
    }
    assertWhole(send(version, "GET"));
  }

  @ParameterizedTest
  @EnumSource
  void anyMethod_ifUnmodifiedSinceAnotherTime_isRefused(Version version) throws Exception {
    for (String method : List.of("GET", "HEAD", "PUT", "DELETE")) {
      for (String date : List.of(BEFORE, AFTER)) {
        var response = send(version, method, "If-Unmodified-Since", date);
        assertThat(response.statusCode()).as(method).isEqualTo(412);
        assertThat(field(response, HttpRoutes.ERROR)).isEqualTo("urn:ferry:error:version-mismatch");
      }
      assertThat(
              send(version, method, "If-Unmodified-Since", DATE, "If-Match", "\"other\"")
                  .statusCode())
          .isEqualTo(412);
      assertThat(root.resolve("f")).binaryContent().isEqualTo(bytes);
    }
    for (String method : List.of("PUT", "DELETE")) {
      // Ignoring it could lose what another client has stored.
      assertThat(send(version, method, "If-Unmodified-Since", "now").statusCode()).isEqualTo(400);
      assertThat(root.resolve("f")).binaryContent().isEqualTo(bytes);
    }
    assertWhole(send(version, "GET", "If-Unmodified-Since", DATE));
    assertWhole(send(version, "GET", "If-Unmodified-Since", "now"));
    assertWhole(send(version, "GET", "If-Unmodified-Since", BEFORE, "If-Match", tag()));
    assertThat(
            send(version, "GET", "If-Unmodified-Since", DATE, "If-Modified-Since", DATE)
                .statusCode())
        .isEqualTo(304);
    assertThat(send(version, "PUT", "If-Unmodified-Since", DATE).statusCode()).isEqualTo(204);
    assertThat(root.resolve("f")).hasContent("new");
    write();
    assertThat(send(version, "DELETE", "If-Unmodified-Since", DATE).statusCode()).isEqualTo(204);
    assertThat(send(version, "PUT", "If-Unmodified-Since", BEFORE).statusCode()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void put_ifUnmodifiedSinceAndTheFileChangesDuringTheUpload_isRefused(boolean exists)
      throws Exception {
    if (!exists) {
      Files.delete(root.resolve("f"));
    }
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n"
              + "If-Unmodified-Since: %s\r\nExpect: 100-continue\r\n\r\n".formatted(DATE));
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
      Files.writeString(root.resolve("f"), "another");
      raw.send("new");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 " + (exists ? 412 : 409));
    }
    assertThat(root.resolve("f")).hasContent("another");
    assertThat(TestFiles.names(root)).containsExactly("f");
  }

  /** Any client may compare it with Last-Modified. */
  @ParameterizedTest
  @EnumSource
  void anyResponse_hasTheDate(Version version) throws Exception {
    Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    List<HttpResponse<byte[]>> responses =
        List.of(
            send(version, "GET"),
            send(version, "GET", "Range", "bytes=0-9"),
            send(version, "GET", "Range", "bytes=9999999-"),
            send(version, "GET", "Accept-Encoding", "gzip"),
            send(version, "HEAD"),
            send(version, "HEAD", "If-None-Match", "*"),
            send(version, "PUT"),
            send(version, "PUT", "If-None-Match", "*"),
            send(version, "PATCH"),
            send(version, "DELETE"),
            send(version, "GET"));
    assertThat(responses)
        .extracting(HttpResponse::statusCode)
        .containsExactly(200, 206, 416, 200, 200, 304, 204, 412, 405, 204, 404);
    for (HttpResponse<byte[]> response : responses) {
      assertThat(response.headers().allValues("Date")).hasSize(1);
      assertThat(DateTimeFormatter.RFC_1123_DATE_TIME.parse(field(response, "Date"), Instant::from))
          .isBetween(before, Instant.now());
    }
  }

  @Test
  void dateField_inTheSameSecond_isTheSameText() {
    AtomicLong millis = new AtomicLong(MODIFIED.toEpochMilli());
    HttpServer.DateField date = new HttpServer.DateField(() -> Instant.ofEpochMilli(millis.get()));
    CharSequence first = date.value();
    millis.addAndGet(499);
    assertThat(date.value()).isSameAs(first).hasToString(DATE);
    millis.addAndGet(1);
    assertThat(date.value()).hasToString(AFTER);
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
