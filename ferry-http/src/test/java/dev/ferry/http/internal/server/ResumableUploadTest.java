package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.upload.UploadId;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads by draft-ietf-httpbis-resumable-upload, in requests as clients write them. */
@Timeout(300)
class ResumableUploadTest {
  private static final String PARTIAL = "Content-Type: application/partial-upload\r\n";
  private static final Pattern LOCATION =
      Pattern.compile("(?i)\r\nlocation: (/uploads/[0-9a-f]{32})\r\n");

  @TempDir private Path root;
  private HttpFilesServer server;

  @SuppressWarnings("NullAway.Init") // started before each test
  ResumableUploadTest() {}

  @BeforeEach
  void start() throws IOException {
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root), "127.0.0.1", 0, 4096, ServerSettings.defaults());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String send(String line, String fields, String body) throws IOException {
    return RawHttp.exchange(
        server.port(),
        line + " HTTP/1.1\r\nContent-Length: " + body.length() + "\r\n" + fields,
        body.getBytes(StandardCharsets.ISO_8859_1));
  }

  private String head(String location) throws IOException {
    return RawHttp.exchange(server.port(), "HEAD " + location + " HTTP/1.1\r\n");
  }

  private static String fields(boolean complete, long offset) {
    return "Upload-Complete: ?" + (complete ? 1 : 0) + "\r\nUpload-Offset: " + offset + "\r\n";
  }

  private String append(String location, boolean complete, long offset, String body)
      throws IOException {
    return send("PATCH " + location, PARTIAL + fields(complete, offset), body);
  }

  private static String location(String response) {
    Matcher location = LOCATION.matcher(response);
    assertThat(location.find()).as(response).isTrue();
    return location.group(1);
  }

  /** Begins an upload of ten bytes with the first three. */
  private String begin() throws IOException {
    return location(send("POST /files/f", "Upload-Complete: ?0\r\nUpload-Length: 10\r\n", "abc"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT"})
  void upload_inSeveralRequests_isTheFile(String method) throws IOException {
    String created = send(method + " /files/f", "Upload-Complete: ?0\r\n", "abc");
    assertThat(created)
        .startsWith("HTTP/1.1 201 Created\r\n")
        .containsIgnoringCase("\r\nupload-complete: ?0\r\n")
        .containsIgnoringCase("\r\nupload-offset: 3\r\n");
    String location = location(created);
    assertThat(append(location, false, 3, "def"))
        .startsWith("HTTP/1.1 204 No Content\r\n")
        .containsIgnoringCase("\r\nupload-offset: 6\r\n");
    assertThat(root.resolve("f")).doesNotExist();

    assertThat(append(location, true, 6, "g"))
        .startsWith("HTTP/1.1 201 Created\r\n")
        .containsIgnoringCase("\r\nupload-complete: ?1\r\n");
    assertThat(root.resolve("f")).hasContent("abcdefg");
    assertThat(head(location))
        .startsWith("HTTP/1.1 204 No Content\r\n")
        .containsIgnoringCase("\r\nupload-complete: ?1\r\n")
        .containsIgnoringCase("\r\nupload-offset: 7\r\n")
        .containsIgnoringCase("\r\ncache-control: no-store\r\n");
  }

  @Test
  void create_whereNoPartIsKept_hasAProblemTypeOfItsOwn() throws IOException {
    server.close();
    ReceiveLimits none = ReceiveLimits.OWN.withKeepPartial(Duration.ZERO);
    LocalFileStore store = LocalFileStore.open(root, SinkOptions.DEFAULT.withLimits(none));
    server = HttpFilesServer.start(store, "127.0.0.1", 0, 4096, ServerSettings.defaults());
    assertThat(send("PUT /files/f", "Upload-Complete: ?0\r\n", "abc"))
        .startsWith("HTTP/1.1 400 ")
        .contains(
            "Ferry-Error: urn:ferry:error:invalid-request\r\n",
            "\"type\":\"urn:ferry:error:upload-not-kept\"",
            "f: the server keeps no part of it; send the whole file");
    assertThat(send("PUT /files/.ferry-f", "Upload-Complete: ?0\r\n", "abc"))
        .startsWith("HTTP/1.1 400 ")
        .contains("\"type\":\"urn:ferry:error:invalid-path\"");
    assertThat(root).isEmptyDirectory();
    assertThat(send("PUT /files/f", "Upload-Complete: ?1\r\n", "abc")).startsWith("HTTP/1.1 201 ");
    assertThat(root.resolve("f")).hasContent("abc");
  }

  @Test
  void upload_reprDigest_isThatOfTheWholeFile() throws IOException {
    String right = "Repr-Digest: " + HttpRoutes.digestField(digest("abcdef")) + "\r\n";
    String wrong = "Repr-Digest: " + HttpRoutes.digestField(digest("def")) + "\r\n";
    for (boolean first : new boolean[] {true, false}) {
      for (String field : List.of(right, wrong)) {
        String created =
            send("PUT /files/f", "Upload-Complete: ?0\r\n" + (first ? field : ""), "abc");
        String fields = PARTIAL + fields(true, 3) + (first ? "" : field);
        assertThat(send("PATCH " + location(created), fields, "def"))
            .startsWith(field.equals(right) ? "HTTP/1.1 20" : "HTTP/1.1 422 ");
      }
    }
  }

  @Test
  void upload_contentDigest_isThatOfTheWholeFileOrRefused() throws IOException {
    String abc = "Content-Digest: " + HttpRoutes.digestField(digest("abc")) + "\r\n";
    String def = "Content-Digest: " + HttpRoutes.digestField(digest("def")) + "\r\n";
    assertThat(send("PUT /files/f", "Upload-Complete: ?1\r\n" + def, "abc"))
        .startsWith("HTTP/1.1 422 ");
    assertThat(send("PUT /files/f", "Upload-Complete: ?1\r\n" + abc, "abc"))
        .startsWith("HTTP/1.1 201 ");
    assertThat(send("PUT /files/g", "Upload-Complete: ?0\r\n" + abc, "abc"))
        .startsWith("HTTP/1.1 400 ")
        .contains("Content-Digest: a part of a file is not compared by itself; send Repr-Digest");
    String location = location(send("PUT /files/g", "Upload-Complete: ?0\r\n", "abc"));
    assertThat(send("PATCH " + location, PARTIAL + fields(true, 3) + def, "def"))
        .startsWith("HTTP/1.1 400 ");
    assertThat(append(location, true, 3, "def")).startsWith("HTTP/1.1 201 ");
    assertThat(root.resolve("g")).hasContent("abcdef");
  }

  private static Digest digest(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    return Crc32c.of(crc);
  }

  @Test
  void head_ofOneUnderWay_saysHowFarItIs() throws IOException {
    assertThat(head(begin()))
        .startsWith("HTTP/1.1 204 No Content\r\n")
        .containsIgnoringCase("\r\nupload-complete: ?0\r\n")
        .containsIgnoringCase("\r\nupload-offset: 3\r\n")
        .containsIgnoringCase("\r\nupload-length: 10\r\n");
  }

  @Test
  void append_withoutContent_endsTheUpload() throws IOException {
    String location = location(send("PUT /files/f", "Upload-Complete: ?0\r\n", "abc"));
    assertThat(append(location, true, 3, "")).startsWith("HTTP/1.1 201 Created\r\n");
    assertThat(root.resolve("f")).hasContent("abc");
  }

  /** An interim response with an unknown status confuses clients that did not ask for it. */
  @ParameterizedTest
  @CsvSource({"5, false", "6, true", "8, true", "9, false"})
  void create_versionOfTheDraft_decidesWhetherTheUriIsSentAhead(String version, boolean sent)
      throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
              + "Content-Length: 9000000\r\nUpload-Complete: ?1\r\n"
              + "Upload-Draft-Interop-Version: "
              + version
              + "\r\n\r\n");
      raw.send(new byte[8_000_000]);
      if (sent) {
        String interim = raw.readUntil("\r\n\r\n");
        assertThat(interim)
            .startsWith("HTTP/1.1 104 Upload Resumption Supported\r\n")
            .containsIgnoringCase("\r\nupload-draft-interop-version: " + version + "\r\n")
            .doesNotContainIgnoringCase("content-length");
        assertThat(location(interim)).startsWith(HttpRoutes.UPLOADS);
      }
      raw.send(new byte[1_000_000]);
      assertThat(raw.readAll()).startsWith("HTTP/1.1 201 Created\r\n");
    }
    assertThat(root.resolve("f")).hasSize(9_000_000);
  }

  @Test
  void create_lostConnection_goesOnWhereTheServerIs() throws IOException {
    UploadId id = UploadId.random();
    byte[] bytes = new byte[9_000_000];
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n"
              + "Upload-Complete: ?1\r\nFerry-Upload-Id: "
              + id.toHex()
              + "\r\nExpect: 100-continue\r\n\r\n");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 Continue\r\n");
      raw.send(new byte[5_000_000]);
    }
    Matcher offset =
        Pattern.compile("(?i)upload-offset: (\\d+)").matcher(head(HttpRoutes.uploadPath(id)));
    assertThat(offset.find()).isTrue();
    int received = Integer.parseInt(offset.group(1));
    assertThat(received).isLessThanOrEqualTo(5_000_000);

    String digest =
        HttpRoutes.UNENCODED_DIGEST
            + ": "
            + HttpRoutes.digestField(
                Digest.Algorithm.SHA256.ofFile(Files.write(root.resolve("same"), bytes)))
            + "\r\n";
    assertThat(
            send(
                "PATCH " + HttpRoutes.uploadPath(id),
                PARTIAL + fields(true, received) + digest,
                "\0".repeat(bytes.length - received)))
        .startsWith("HTTP/1.1 201 Created\r\n");
    assertThat(root.resolve("f")).binaryContent().isEqualTo(bytes);
  }

  @Test
  void create_digestOfTheFirstRequest_isComparedAtTheEnd() throws IOException {
    Digest digest =
        Digest.Algorithm.SHA256.ofFile(Files.writeString(root.resolve("other"), "abcdef"));
    String field = HttpRoutes.UNENCODED_DIGEST + ": " + HttpRoutes.digestField(digest) + "\r\n";
    String wrong = location(send("PUT /files/f", field + "Upload-Complete: ?0\r\n", "abc"));
    assertThat(append(wrong, true, 3, "DEF")).startsWith("HTTP/1.1 422 ");
    assertThat(root.resolve("f")).doesNotExist();
    assertThat(head(wrong)).startsWith("HTTP/1.1 404 ");

    String right = location(send("PUT /files/f", field + "Upload-Complete: ?0\r\n", "abc"));
    assertThat(append(right, true, 3, "def")).startsWith("HTTP/1.1 201 ");
  }

  @Test
  void append_anotherOffset_isAConflictThatSaysTheRightOne() throws IOException {
    String location = begin();
    assertThat(append(location, false, 2, "x"))
        .startsWith("HTTP/1.1 409 Conflict\r\n")
        .containsIgnoringCase("\r\nupload-offset: 3\r\n")
        .contains("http-problem-types#mismatching-upload-offset")
        .contains("\"expected-offset\":3")
        .contains("\"provided-offset\":2");
    assertThat(append(location, true, 3, "defghij")).startsWith("HTTP/1.1 201 Created\r\n");
    assertThat(append(location, true, 10, "x"))
        .startsWith("HTTP/1.1 400 Bad Request\r\n")
        .contains("http-problem-types#completed-upload");
    assertThat(root.resolve("f")).hasContent("abcdefghij");
  }

  @ParameterizedTest
  @CsvSource({"true, defghijk", "true, defghi", "false, defghijk"})
  void append_anotherLength_isRefused(boolean complete, String body) throws IOException {
    String location = begin();
    assertThat(append(location, complete, 3, body))
        .startsWith("HTTP/1.1 400 Bad Request\r\n")
        .contains("http-problem-types#inconsistent-upload-length");
    assertThat(append(location, true, 3, "defghij")).startsWith("HTTP/1.1 201 Created\r\n");
  }

  @Test
  void append_moreThanAFileCanHave_isRefused() throws IOException {
    String location = begin();
    String most = "Content-Length: " + Long.MAX_VALUE + "\r\n";
    try (RawHttp raw = new RawHttp(server.port())) {
      String head = "PATCH " + location + " HTTP/1.1\r\nHost: localhost\r\n";
      raw.send(head + most + PARTIAL + fields(true, 3) + "\r\n");
      assertThat(raw.readUntil("\r\n")).startsWith("HTTP/1.1 413 ");
    }
    assertThat(head(location)).containsIgnoringCase("\r\nupload-offset: 3\r\n");
  }

  @Test
  void request_contentCodingOrType_isRefused() throws IOException {
    String gzip = "Content-Encoding: gzip\r\n";
    assertThat(send("PUT /files/f", gzip + "Upload-Complete: ?0\r\n", "abc"))
        .startsWith("HTTP/1.1 415 ");
    String location = begin();
    assertThat(send("PATCH " + location, PARTIAL + gzip + fields(true, 3), "d"))
        .startsWith("HTTP/1.1 415 ");
    assertThat(send("PATCH " + location, fields(true, 3), "d")).startsWith("HTTP/1.1 415 ");
    assertThat(send("PATCH " + location, PARTIAL + "Upload-Complete: ?1\r\n", "d"))
        .startsWith("HTTP/1.1 400 ");
    assertThat(send("PATCH " + location, PARTIAL + "Upload-Offset: 3\r\n", "d"))
        .startsWith("HTTP/1.1 400 ");
    assertThat(send("GET " + location, "", "")).startsWith("HTTP/1.1 405 ");
    assertThat(head(location)).containsIgnoringCase("\r\nupload-offset: 3\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "1", "?2", ""})
  void create_malformedField_isAnOrdinaryUpload(String complete) throws IOException {
    assertThat(send("PUT /files/f", "Upload-Complete: " + complete + "\r\n", "abc"))
        .startsWith("HTTP/1.1 201 Created\r\n")
        .doesNotContainIgnoringCase("\r\nlocation:");
    assertThat(root.resolve("f")).hasContent("abc");
  }

  @Test
  void delete_discardsTheUpload() throws IOException {
    String location = begin();
    assertThat(send("DELETE " + location, "", "")).startsWith("HTTP/1.1 204 No Content\r\n");
    assertThat(head(location)).startsWith("HTTP/1.1 404 ");
    assertThat(send("DELETE " + location, "", "")).startsWith("HTTP/1.1 404 ");
    assertThat(root.resolve(".ferry-uploads")).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/uploads/", "/uploads/x", "/uploads/../files/f", "/uploads/00"})
  void request_ofNoId_isNotFound(String location) throws IOException {
    assertThat(head(location)).startsWith("HTTP/1.1 404 ");
    assertThat(append(location, true, 0, "x")).startsWith("HTTP/1.1 404 ");
  }
}
