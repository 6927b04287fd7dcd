package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Digest;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.JdkTls;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.RawHttp2;
import dev.ferry.wire.internal.RawHttp2.Frame;
import dev.ferry.wire.internal.TestCertificates;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The digest of a file that is known only after its last byte. */
@Timeout(300)
class TrailersTest {
  private static final String GZIP = "Accept-Encoding: gzip\r\n";
  private static final String TRAILERS = "TE: deflate, Trailers\r\n";

  @TempDir private Path root;
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    file = Files.write(root.resolve("f"), TestFiles.compressible(1_200_000));
  }

  private HttpFilesServer serve(ServerSettings settings) throws IOException {
    return HttpFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, 4096, settings);
  }

  private static String want(Digest.Algorithm algorithm) {
    return HttpRoutes.WANT_UNENCODED_DIGEST + ": " + HttpRoutes.wantField(algorithm) + "\r\n";
  }

  private String field(Digest.Algorithm algorithm) throws IOException {
    return HttpRoutes.UNENCODED_DIGEST
        + ": "
        + HttpRoutes.digestField(algorithm.ofFile(file))
        + "\r\n";
  }

  @ParameterizedTest
  @EnumSource(Digest.Algorithm.class)
  void get_gzip_isFollowedByTheDigestUntilItIsKnown(Digest.Algorithm algorithm) throws IOException {
    String request = "GET /files/f HTTP/1.1\r\n" + GZIP + TRAILERS + want(algorithm);
    try (HttpFilesServer server = serve(ServerSettings.defaults())) {
      assertThat(RawHttp.exchange(server.port(), request))
          .containsIgnoringCase("\r\ntrailer: Unencoded-Digest\r\n")
          .containsOnlyOnce("Unencoded-Digest: ")
          .endsWith("\r\n0\r\n" + field(algorithm) + "\r\n");
      assertThat(RawHttp.exchange(server.port(), request))
          .contains(field(algorithm))
          .doesNotContainIgnoringCase("\r\ntrailer:")
          .endsWith("\r\n0\r\n\r\n");
    }
  }

  @ParameterizedTest
  @CsvSource({
    // no client that takes trailers, no digest wanted, bytes that never enter the process
    "true, false, true",
    "true, true, false",
    "false, true, true"
  })
  void get_otherwise_hasNoTrailers(boolean gzip, boolean trailers, boolean wanted)
      throws IOException {
    String request =
        "GET /files/f HTTP/1.1\r\n"
            + (gzip ? GZIP : "")
            + (trailers ? TRAILERS : "")
            + (wanted ? want(Digest.Algorithm.CRC32C) : "");
    try (HttpFilesServer server = serve(ServerSettings.defaults())) {
      assertThat(RawHttp.exchange(server.port(), request))
          .doesNotContainIgnoringCase("\r\ntrailer:")
          .doesNotContain("\r\n0\r\nUnencoded-Digest");
    }
  }

  @Test
  void get_overTls_isChunkedAndFollowedByTheDigest() throws IOException {
    ServerSettings tls =
        ServerSettings.defaults().withTls(TestCertificates.server(TestCertificates.loopback()));
    Files.writeString(file, "hello");
    try (HttpFilesServer server = serve(tls);
        Socket socket =
            JdkTls.client(TestCertificates.client())
                .getSocketFactory()
                .createSocket("127.0.0.1", server.port())) {
      String request =
          "GET /files/f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
              + TRAILERS
              + want(Digest.Algorithm.SHA256);
      socket.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readAllBytes())
          .asString(StandardCharsets.US_ASCII)
          .containsIgnoringCase("\r\nferry-unencoded-length: 5\r\n")
          .doesNotContainIgnoringCase("content-length")
          .endsWith("\r\n5\r\nhello\r\n0\r\n" + field(Digest.Algorithm.SHA256) + "\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "hello"})
  void get_overHttp2_endsWithTheDigest(String content) throws IOException {
    Files.writeString(file, content);
    try (HttpFilesServer server = serve(ServerSettings.defaults());
        RawHttp2 raw = RawHttp2.open(server.port())) {
      raw.request(
          1, true, "GET", "/files/f", "te", "trailers", "want-unencoded-digest", "sha-256=10");

      Frame head = raw.await(RawHttp2.HEADERS);
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.endsStream()).isFalse();
      if (!content.isEmpty()) {
        Frame data = raw.await(RawHttp2.DATA);
        assertThat(data.payload()).asString(StandardCharsets.US_ASCII).isEqualTo(content);
        assertThat(data.endsStream()).isFalse();
      }
      Frame trailers = raw.await(RawHttp2.HEADERS);
      assertThat(trailers.endsStream()).isTrue();
      assertThat(new String(trailers.payload(), StandardCharsets.ISO_8859_1))
          .contains(HttpRoutes.digestField(Digest.Algorithm.SHA256.ofFile(file)));
    }
  }

  private static final String PUT =
      "PUT /files/new HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTrailer: x, unencoded-digest\r\n";

  private static final String BODY = "5\r\nhello\r\n0\r\n";

  private String put(HttpFilesServer server, String head, String trailers) throws IOException {
    return RawHttp.exchange(
        server.port(), PUT + head, (BODY + trailers).getBytes(StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @EnumSource(Digest.Algorithm.class)
  void put_digestFollows_isComparedAndStated(Digest.Algorithm algorithm) throws IOException {
    Files.writeString(file, "hello");
    try (HttpFilesServer server = serve(ServerSettings.defaults())) {
      assertThat(put(server, want(algorithm), field(algorithm) + "\r\n"))
          .startsWith("HTTP/1.1 201 ")
          .contains(field(algorithm));
      assertThat(root.resolve("new")).hasContent("hello");

      Files.writeString(file, "other");
      assertThat(put(server, want(algorithm), field(algorithm) + "\r\n"))
          .startsWith("HTTP/1.1 422 ");
      assertThat(root.resolve("new")).hasContent("hello");
    }
    assertThat(TestFiles.names(root)).containsExactlyInAnyOrder("f", "new");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n",
        "X: y\r\n\r\n",
        "Unencoded-Digest: crc32c=:AAAA:\r\n\r\n",
        "Unencoded-Digest: md5=:AAAA:\r\n\r\n",
        "Unencoded-Digest: crc32c=:yZRlqg==:\r\nUnencoded-Digest: crc32c=:AAAAAA==:\r\n\r\n",
        "Content-Digest: crc32c=:yZRlqg==:\r\n\r\n",
        "no field\r\n\r\n"
      })
  void put_digestThatWasAnnouncedDoesNotFollow_isRefusedAndNotStored(String trailers)
      throws IOException {
    try (HttpFilesServer server = serve(ServerSettings.defaults())) {
      assertThat(put(server, "", trailers)).containsPattern("^HTTP/1.1 4(00|22) ");
    }
    assertThat(TestFiles.names(root)).containsExactly("f");
  }

  @Test
  void put_trailersThatAreTooLarge_areRefusedAndNotStored() throws IOException {
    try (HttpFilesServer server = serve(ServerSettings.defaults())) {
      String large = "X: " + "y".repeat(100_000) + "\r\n" + field(Digest.Algorithm.CRC32C);
      assertThat(put(server, "", large + "\r\n")).startsWith("HTTP/1.1 400 ");
    }
    assertThat(TestFiles.names(root)).containsExactly("f");
  }

  @Test
  void put_connectionEndsBeforeTheTrailers_isNotStored() throws IOException {
    try (HttpFilesServer server = serve(ServerSettings.defaults())) {
      try (RawHttp raw = new RawHttp(server.port())) {
        raw.send(PUT + "Host: localhost\r\n\r\n" + BODY);
      }
    }
    assertThat(TestFiles.names(root)).containsExactly("f");
  }

  @Test
  void put_overHttp2_isComparedWithTheDigestThatFollows() throws IOException {
    Files.writeString(file, "hello");
    String digest = HttpRoutes.digestField(Digest.Algorithm.CRC32C.ofFile(file));
    Files.writeString(file, "first");
    try (HttpFilesServer server = serve(ServerSettings.defaults());
        RawHttp2 raw = RawHttp2.open(server.port())) {
      assertThat(putOverHttp2(raw, 1, "hello", "unencoded-digest", digest)).isEqualTo(204);
      assertThat(file).hasContent("hello");

      assertThat(putOverHttp2(raw, 3, "other", "unencoded-digest", digest)).isNotEqualTo(204);
      assertThat(putOverHttp2(raw, 5, "other", "x", "y")).isEqualTo(400);
      raw.request(7, false, "PUT", "/files/f", "trailer", "unencoded-digest");
      raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 7, new byte[1]);
      assertThat(raw.await(RawHttp2.HEADERS).status()).isEqualTo(400);
      assertThat(file).hasContent("hello");

      raw.request(9, false, "PUT", "/files/f", "trailer", "unencoded-digest");
      assertThat(isStoredAfterLargeTrailers(raw, 9)).isFalse();
    }
    assertThat(file).hasContent("hello");
    assertThat(TestFiles.names(root)).containsExactly("f");
  }

  /** Ends a request with more than a head may have: its stream ends, or the connection. */
  private static boolean isStoredAfterLargeTrailers(RawHttp2 raw, int stream) throws IOException {
    byte[] large = RawHttp2.fields("x", "y".repeat(16_000));
    try {
      raw.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, stream, large);
      for (int i = 0; i < 4; i++) {
        raw.send(RawHttp2.CONTINUATION, i == 3 ? RawHttp2.END_HEADERS : 0, stream, large);
      }
      Frame end = raw.next();
      return end.type() == RawHttp2.HEADERS && end.status() == 204;
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      // The server has ended the connection, perhaps before it had all of them.
      return false;
    }
  }

  /** Replaces the file, and returns the status. */
  private static int putOverHttp2(RawHttp2 raw, int stream, String body, String... trailers)
      throws IOException {
    raw.request(stream, false, "PUT", "/files/f", "trailer", "unencoded-digest");
    raw.send(RawHttp2.DATA, 0, stream, body.getBytes(StandardCharsets.US_ASCII));
    int flags = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
    raw.send(RawHttp2.HEADERS, flags, stream, RawHttp2.fields(trailers));
    return raw.await(RawHttp2.HEADERS).status();
  }

  @ParameterizedTest
  @CsvSource({"HEAD, TE: trailers, true", "HEAD, X: y, false", "GET, TE: trailers, false"})
  void request_thatCanHaveTrailers_isToldThatTheyArrive(String method, String field, boolean told)
      throws IOException {
    try (HttpFilesServer server = serve(ServerSettings.defaults())) {
      for (String path : new String[] {"f", "missing"}) {
        String head = "%s /files/%s HTTP/1.1\r\n%s\r\n".formatted(method, path, field);
        assertThat(RawHttp.exchange(server.port(), head).contains("Ferry-Trailers: ?1"))
            .isEqualTo(told);
      }
    }
  }
}
