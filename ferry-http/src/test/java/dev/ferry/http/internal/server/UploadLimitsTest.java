package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryException;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much a client can have stored. */
@Timeout(300)
class UploadLimitsTest {
  private static final int BOMB_BYTES = 30_000_000;

  @TempDir Path root;

  private HttpFilesServer start(ReceiveLimits limits) throws FerryException {
    LocalFileStore store = LocalFileStore.open(root, SinkOptions.DEFAULT.withLimits(limits));
    return HttpFilesServer.start(store, "localhost", 0, 4096, ServerSettings.defaults());
  }

  private static String put(HttpFilesServer server, String fields, byte[] body) throws IOException {
    return RawHttp.exchange(
        server.port(),
        "PUT /files/d/f HTTP/1.1\r\nFerry-Make-Parents: ?1\r\nContent-Length: "
            + body.length
            + "\r\n"
            + fields,
        body);
  }

  private void assertRefused(String response, int status, String kind) throws IOException {
    assertThat(response)
        .startsWith("HTTP/1.1 " + status + " ")
        .contains("\"type\":\"urn:ferry:error:" + kind + "\"");
    assertThat(TestFiles.names(root)).isEmpty();
  }

  @Test
  void put_bomb_isRefusedUnlessItsSizeIsAnnounced() throws IOException {
    byte[] bomb = TestFiles.gzip(new byte[BOMB_BYTES]);
    assertThat(bomb.length).isLessThan(50_000);
    String gzip = "Content-Encoding: gzip\r\n";
    try (HttpFilesServer server = start(ReceiveLimits.STORE)) {
      String response = put(server, gzip, bomb);
      assertRefused(response, 413, "too-large");
      assertThat(response)
          .contains(
              "d/f: decompresses to more than 200 times what was sent, and its size was not announced;"
                  + " announce it with Ferry-Unencoded-Length");
      assertThat(put(server, gzip + "Ferry-Unencoded-Length: 30000000\r\n", bomb))
          .startsWith("HTTP/1.1 201 ");
    }
    assertThat(root.resolve("d/f")).hasSize(BOMB_BYTES);
  }

  @Test
  void put_bombWithoutLimit_isStored() throws IOException {
    byte[] bomb = TestFiles.gzip(new byte[BOMB_BYTES]);
    try (HttpFilesServer server = start(ReceiveLimits.STORE.withMaxExpansion(0))) {
      assertThat(put(server, "Content-Encoding: gzip\r\n", bomb)).startsWith("HTTP/1.1 201 ");
    }
  }

  @Test
  void put_moreThanAnnounced_isRefusedBeforeItIsWritten() throws IOException {
    byte[] bomb = TestFiles.gzip(new byte[BOMB_BYTES]);
    try (HttpFilesServer server = start(ReceiveLimits.STORE)) {
      String response =
          put(server, "Content-Encoding: gzip\r\nFerry-Unencoded-Length: 5\r\n", bomb);
      assertRefused(response, 400, "incomplete");
      assertThat(response).contains("more than the 5 announced bytes came");
    }
  }

  @Test
  void put_lessThanAnnounced_isIncomplete() throws IOException {
    byte[] body = TestFiles.gzip(new byte[5]);
    try (HttpFilesServer server = start(ReceiveLimits.STORE)) {
      assertRefused(
          put(server, "Content-Encoding: gzip\r\nFerry-Unencoded-Length: 6\r\n", body),
          400,
          "incomplete");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Ferry-Unencoded-Length: x",
    "Ferry-Unencoded-Length: -1",
    "Ferry-Unencoded-Length: 99999999999999999999",
    "Ferry-Unencoded-Length:",
    "Ferry-Unencoded-Length: 6"
  })
  void put_announcementThatIsWrong_isRefused(String field) throws IOException {
    try (HttpFilesServer server = start(ReceiveLimits.STORE)) {
      assertRefused(put(server, field + "\r\n", new byte[5]), 400, "invalid-request");
    }
  }

  @Test
  void put_announcedSizeOverALimit_isRefusedBeforeTheBodyIsRequested() throws IOException {
    ReceiveLimits own = ReceiveLimits.OWN;
    for (ReceiveLimits limits :
        List.of(own.withMaxFileSize(99), own.withMaxReceiving(99), own.withKeepFree(1L << 60))) {
      for (String field :
          List.of(
              "Content-Length: 100\r\n",
              "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
                  + "Ferry-Unencoded-Length: 100\r\n")) {
        try (HttpFilesServer server = start(limits);
            RawHttp raw = new RawHttp(server.port())) {
          raw.send(
              "PUT /files/d/f HTTP/1.1\r\nFerry-Make-Parents: ?1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                  + field
                  + "\r\n");
          assertThat(raw.readUntil("\r\n\r\n"))
              .startsWith(
                  limits.equals(own.withKeepFree(1L << 60)) ? "HTTP/1.1 507 " : "HTTP/1.1 413 ");
        }
      }
    }
    assertThat(TestFiles.names(root)).isEmpty();
  }

  @Test
  void put_beyondALimitWithoutAnnouncement_isRefusedAsItComes() throws IOException {
    ReceiveLimits own = ReceiveLimits.OWN;
    String chunked =
        "PUT /files/d/f HTTP/1.1\r\nFerry-Make-Parents: ?1\r\nTransfer-Encoding: chunked\r\n";
    byte[] body =
        "64\r\n%s\r\n0\r\n\r\n".formatted("a".repeat(100)).getBytes(StandardCharsets.US_ASCII);
    try (HttpFilesServer server = start(own.withMaxFileSize(99))) {
      assertRefused(RawHttp.exchange(server.port(), chunked, body), 413, "too-large");
    }
    try (HttpFilesServer server = start(own.withMaxReceiving(99))) {
      assertRefused(RawHttp.exchange(server.port(), chunked, body), 413, "too-large");
    }
    try (HttpFilesServer server = start(own.withKeepFree(1L << 60))) {
      assertRefused(RawHttp.exchange(server.port(), chunked, body), 507, "out-of-space");
    }
    try (HttpFilesServer server = start(ReceiveLimits.STORE)) {
      assertThat(RawHttp.exchange(server.port(), chunked, body)).startsWith("HTTP/1.1 201 ");
    }
  }

  @Test
  void put_othersTakeTheWholeLimit_isOverloadedUntilTheyEnd() throws Exception {
    try (HttpFilesServer server = start(ReceiveLimits.OWN.withMaxReceiving(100))) {
      try (RawHttp first = new RawHttp(server.port())) {
        first.send(
            "PUT /files/first HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60\r\n"
                + "Expect: 100-continue\r\n\r\n");
        assertThat(first.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
        // Half of what is left is reserved, which is the share of one caller.
        assertThat(put(server, "", new byte[51]))
            .startsWith("HTTP/1.1 503 ")
            .contains("urn:ferry:error:overloaded", "try again when other uploads have ended");
        first.send("a".repeat(60));
        assertThat(first.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 201 ");
      }
      assertThat(put(server, "", new byte[51])).startsWith("HTTP/1.1 201 ");
    }
  }
}
