package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.internal.RawHttp;
import dev.ferry.net.internal.RawHttp2;
import dev.ferry.net.internal.Refusals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that fall silent in a request. */
@Timeout(30)
final class SilentClientTest {
  private static final long BIG = 64L * 1024 * 1024;
  private static final Duration STALL = Duration.ofMillis(400);

  /** Several in the time that is allowed. */
  private static final int PAUSE_MILLIS = 60;

  @TempDir Path root;
  private HttpFilesServer server;

  @BeforeEach
  void start() throws IOException {
    start(STALL);
  }

  private void start(Duration stall) throws IOException {
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root),
            "localhost",
            0,
            65_536,
            ServerSettings.defaults().withStallTimeout(stall));
  }

  @AfterEach
  void stop() {
    server.closeNow();
  }

  private long stalled() {
    return server.refused().of(Refusals.Reason.STALL);
  }

  @Test
  void put_clientStops_isToldAndLeavesNothing() throws Exception {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send("PUT /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhello");
      assertThat(raw.readAll())
          .startsWith("HTTP/1.1 408 ")
          .contains("deadline-exceeded", "the client sent no byte of the body for 0.4 s");
    }
    TestFiles.awaitTree(root);
    TestFiles.awaitNothingOpen(root);
    assertThat(stalled()).isPositive();
  }

  @Test
  void put_clientIsSlow_isTaken() throws Exception {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
              + "Content-Length: 12\r\n\r\n");
      for (int i = 0; i < 12; i++) {
        Thread.sleep(PAUSE_MILLIS);
        raw.send("x");
      }
      assertThat(raw.readAll()).startsWith("HTTP/1.1 201 ");
    }
    assertThat(stalled()).isZero();
  }

  @Test
  void get_clientStops_isCutAndLetsGoOfTheFile() throws Exception {
    TestFiles.sparse(root.resolve("big"), BIG);
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send("GET /files/big HTTP/1.1\r\nHost: localhost\r\n\r\n");
      raw.readUntil("\r\n\r\n");
      awaitStall();
    }
  }

  private void awaitStall() throws Exception {
    while (stalled() == 0) {
      Thread.sleep(5);
    }
    TestFiles.awaitNothingOpen(root);
  }

  @Test
  void get_noTimeout_waitsForTheClient() throws Exception {
    stop();
    start(Duration.ZERO);
    TestFiles.sparse(root.resolve("big"), BIG);
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send("GET /files/big HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      raw.readUntil("\r\n\r\n");
      Thread.sleep(STALL.toMillis() * 3);
      assertThat(raw.readAll()).hasSize((int) BIG);
    }
  }

  @Test
  void http2Put_clientStops_isResetAndLeavesNothing() throws Exception {
    try (RawHttp2 raw = RawHttp2.open(server.port())) {
      raw.request(1, false, "PUT", "/files/f");
      raw.send(RawHttp2.DATA, 0, 1, "hello".getBytes());
      assertThat(raw.await(RawHttp2.RST_STREAM).stream()).isEqualTo(1);
      awaitStall();
      TestFiles.awaitTree(root);
      assertServesOn(raw);
    }
  }

  @Test
  void http2Get_windowStaysShut_isResetAndLetsGoOfTheFile() throws Exception {
    TestFiles.sparse(root.resolve("big"), BIG);
    try (RawHttp2 raw = RawHttp2.open(server.port())) {
      raw.request(1, true, "GET", "/files/big");
      assertThat(raw.await(RawHttp2.RST_STREAM).stream()).isEqualTo(1);
      awaitStall();
      raw.allow(0, 65_535);
      assertServesOn(raw);
    }
  }

  private void assertServesOn(RawHttp2 raw) throws IOException {
    Files.writeString(root.resolve("other"), "other");
    raw.request(3, true, "GET", "/files/other");
    assertThat(raw.body(3)).asString().isEqualTo("other");
  }

  @Test
  void http2Get_windowOpensSlowly_isServed() throws Exception {
    int size = 65_535 + 12;
    Files.write(root.resolve("some"), TestFiles.random(size, 1));
    try (RawHttp2 raw = RawHttp2.open(server.port())) {
      raw.request(1, true, "GET", "/files/some");
      raw.allow(0, 12);
      for (int i = 0; i < 12; i++) {
        Thread.sleep(PAUSE_MILLIS);
        raw.allow(1, 1);
      }
      assertThat(raw.body(1)).hasSize(size);
    }
    assertThat(stalled()).isZero();
  }

  @Test
  void http2Get_socketIsNotRead_isCutAndLetsGoOfTheFile() throws Exception {
    TestFiles.sparse(root.resolve("big"), BIG);
    try (RawHttp2 raw = RawHttp2.open(server.port())) {
      raw.allow(0, Integer.MAX_VALUE - 65_535);
      raw.request(1, true, "GET", "/files/big");
      raw.allow(1, Integer.MAX_VALUE - 65_535);
      awaitStall();
    }
  }
}
