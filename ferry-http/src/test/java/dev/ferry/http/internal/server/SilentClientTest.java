package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.ForwardingSource;
import dev.ferry.core.SwitchStore;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.RawHttp2;
import dev.ferry.wire.internal.Refusals;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clients that fall silent in a request. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class SilentClientTest {
  private static final long BIG = 64L * 1024 * 1024;
  private static final Duration STALL = Duration.ofMillis(400);

  private static final Duration PATIENT = Duration.ofSeconds(2);

  /** A pause of a slow client after which its machine is to blame for a failure. */
  private static final Duration STANDSTILL = PATIENT.dividedBy(4);

  /** Many in the time that is allowed. */
  private static final int PAUSE_MILLIS = 60;

  /** More than a slow client sends before one that stops is cut. */
  private static final int MOST = 10_000;

  @TempDir Path root;

  private Duration longestPause = Duration.ZERO;
  private HttpFilesServer server;

  @BeforeEach
  void start() throws IOException {
    server = start(STALL);
  }

  private HttpFilesServer start(Duration stall) throws IOException {
    return start(LocalFileStore.open(root), stall);
  }

  private static HttpFilesServer start(FileStore store, Duration stall) throws IOException {
    return HttpFilesServer.start(
        store, "localhost", 0, 65_536, ServerSettings.defaults().withStallTimeout(stall));
  }

  /**
   * Tries a slow client with a server that waits longer. Tries it again if it fails on a machine
   * that has stopped the client for a while.
   */
  private void trySlowly(ThrowingCallable client) throws Throwable {
    while (true) {
      stop();
      server = start(PATIENT);
      longestPause = Duration.ZERO;
      try {
        client.call();
        return;
      } catch (AssertionError | IOException e) {
        if (longestPause.compareTo(STANDSTILL) < 0) {
          throw e;
        }
      }
    }
  }

  private void pause() throws InterruptedException {
    long begin = System.nanoTime();
    Thread.sleep(PAUSE_MILLIS);
    Duration pause = Duration.ofNanos(System.nanoTime() - begin);
    longestPause = pause.compareTo(longestPause) > 0 ? pause : longestPause;
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
          .contains("deadline-exceeded", "the client sent no byte of the body for 400 ms");
    }
    TestFiles.awaitTree(root);
    TestFiles.awaitNothingOpen(root);
    assertThat(stalled()).isPositive();
  }

  @Test
  void put_clientIsSlow_isTaken() throws Throwable {
    trySlowly(this::putSlowly);
  }

  private void putSlowly() throws Exception {
    try (RawHttp stopped = new RawHttp(server.port());
        RawHttp raw = new RawHttp(server.port())) {
      stopped.send("PUT /files/g HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n");
      raw.send(
          "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
              + "Content-Length: "
              + MOST
              + "\r\n\r\n");
      int sent = 0;
      for (; stalled() == 0; sent++) {
        pause();
        raw.send("x");
      }
      raw.send("x".repeat(MOST - sent));
      assertThat(raw.readAll()).startsWith("HTTP/1.1 201 ");
    }
    assertThat(stalled()).isEqualTo(1);
  }

  @Test
  void get_diskIsSlow_isNotTheClientsFault() throws Exception {
    Files.writeString(root.resolve("f"), "hello ".repeat(10_000));
    stop();
    server = start(SwitchStore.afterOpen(LocalFileStore.open(root), SlowSource::new), STALL);

    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "GET /files/f HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
              + "Connection: close\r\n\r\n");
      assertThat(raw.readAll())
          .startsWith("HTTP/1.1 200 ")
          .contains("gzip")
          .endsWith("\r\n0\r\n\r\n");
    }
    assertThat(stalled()).isZero();
  }

  /** A file that takes longer to read than a client may be silent. */
  private static final class SlowSource extends ForwardingSource {
    SlowSource(FileSource source) {
      super(source);
    }

    @Override
    public void readFully(ByteBuffer destination, long position) throws FerryException {
      try {
        Thread.sleep(STALL.multipliedBy(3).toMillis());
      } catch (InterruptedException e) {
        throw FerryException.interrupted("the server stops", e);
      }
      super.readFully(destination, position);
    }
  }

  @Test
  void get_clientStops_isCutAndLetsGoOfTheFile() throws Exception {
    TestFiles.sparse(root.resolve("big"), BIG);
    stopInAGet();
    TestFiles.awaitNothingOpen(root);
  }

  /** Reads the beginning of a response, and waits until the server has cut it. */
  private void stopInAGet() throws Exception {
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
  }

  @Test
  void get_noTimeout_waitsForTheClient() throws Exception {
    TestFiles.sparse(root.resolve("big"), BIG);
    HttpFilesServer unlimited = start(Duration.ZERO);
    try (RawHttp raw = new RawHttp(unlimited.port())) {
      raw.send("GET /files/big HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      raw.readUntil("\r\n\r\n");
      // The same of a server with a limit ends.
      stopInAGet();
      assertThat(raw.readAll()).hasSize((int) BIG);
    } finally {
      unlimited.closeNow();
    }
  }

  @Test
  void http2Put_clientStops_isResetAndLeavesNothing() throws Exception {
    try (RawHttp2 raw = RawHttp2.open(server.port())) {
      raw.request(1, false, "PUT", "/files/f");
      raw.send(RawHttp2.DATA, 0, 1, "hello".getBytes());
      assertThat(raw.await(RawHttp2.RST_STREAM).stream()).isEqualTo(1);
      awaitStall();
      TestFiles.awaitNothingOpen(root);
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
      TestFiles.awaitNothingOpen(root);
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
  void http2Get_windowOpensSlowly_isServed() throws Throwable {
    trySlowly(this::openWindowSlowly);
  }

  private void openWindowSlowly() throws Exception {
    int size = 65_535 + MOST;
    Files.write(root.resolve("some"), TestFiles.random(size, 1));
    try (RawHttp2 stopped = RawHttp2.open(server.port());
        RawHttp2 raw = RawHttp2.open(server.port())) {
      stopped.request(1, true, "GET", "/files/some");
      raw.request(1, true, "GET", "/files/some");
      raw.allow(0, MOST);
      int allowed = 0;
      for (; stalled() == 0; allowed++) {
        pause();
        raw.allow(1, 1);
      }
      raw.allow(1, MOST - allowed);
      assertThat(raw.body(1)).hasSize(size);
    }
    assertThat(stalled()).isEqualTo(1);
  }

  @Test
  void http2Get_socketIsNotRead_isCutAndLetsGoOfTheFile() throws Exception {
    TestFiles.sparse(root.resolve("big"), BIG);
    try (RawHttp2 raw = RawHttp2.open(server.port())) {
      raw.allow(0, Integer.MAX_VALUE - 65_535);
      raw.request(1, true, "GET", "/files/big");
      raw.allow(1, Integer.MAX_VALUE - 65_535);
      awaitStall();
      TestFiles.awaitNothingOpen(root);
    }
  }
}
