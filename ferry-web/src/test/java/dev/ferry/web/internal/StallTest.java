package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that stop in the middle hold little, and not for ever. */
@Timeout(300)
class StallTest {
  private static final long BIG = 512L * 1024 * 1024;
  private static final int READERS = 16;
  private static final long CROWD_FLAT = 64L * 1024 * 1024;
  private static final long FLAT = 48L * 1024 * 1024;

  @TempDir Path root;
  private WebFilesServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        WebFilesServer.start(
            LocalFileStore.open(root),
            "localhost",
            0,
            ServerSettings.defaults().withStallTimeout(Duration.ofSeconds(1)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void put_stalled_isRefusedAndLeavesNothing() throws Exception {
    assertStalls();
    TestFiles.awaitTree(root);
    TestFiles.awaitNothingOpen(root);
  }

  private void assertStalls() throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/d/f HTTP/1.1\r\nHost: localhost\r\nFerry-Make-Parents: ?1\r\nContent-Length: 1000000\r\n\r\nhello");
      assertThat(raw.readAll()).startsWith("HTTP/1.1 408 ").contains("deadline-exceeded");
    }
  }

  @Test
  void grpcWebUpload_stalled_isRefused() throws Exception {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "POST /ferry.v1.Files/Upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n"
              + "Content-Type: application/grpc-web+proto\r\n\r\n\0\0");
      assertThat(raw.readAll()).contains("grpc-status: 4").contains("deadline-exceeded");
    }
    TestFiles.awaitTree(root);
    TestFiles.awaitNothingOpen(root);
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip"})
  void get_readerStops_holdsLittleAndIsCut(String coding) throws Exception {
    TestFiles.sparse(root.resolve("big"), BIG);
    long before = directMemory();
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "GET /files/big HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: " + coding + "\r\n\r\n");
      raw.readUntil("\r\n\r\n");
      if (coding.equals("identity")) {
        for (int i = 0; i < 50; i++) {
          assertThat(directMemory() - before).isLessThan(FLAT);
          Thread.sleep(10);
        }
        TestFiles.awaitNothingOpen(root);
      }
    }
    TestFiles.awaitNothingOpen(root);
    Files.delete(root.resolve("big"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/grpc-web+proto", "application/grpc-web-text+proto"})
  void grpcWebDownload_manyReadersStop_holdLittle(String type) throws Exception {
    TestFiles.sparse(root.resolve("big"), BIG);
    byte[] request = {0, 0, 0, 0, 5, 10, 3, 'b', 'i', 'g'};
    String body = new String(request, StandardCharsets.ISO_8859_1);
    if (type.contains("text")) {
      body = Base64.getEncoder().encodeToString(request);
    }
    long before = PlatformDependent.usedDirectMemory();
    List<RawHttp> readers = new ArrayList<>();
    try {
      for (int i = 0; i < READERS; i++) {
        RawHttp raw = new RawHttp(server.port());
        readers.add(raw);
        raw.send(
            "POST /ferry.v1.Files/Download HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type);
        raw.send("\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        raw.readUntil("\r\n\r\n");
      }
      for (int i = 0; i < 50; i++) {
        assertThat(PlatformDependent.usedDirectMemory() - before).isLessThan(CROWD_FLAT);
        Thread.sleep(10);
      }
    } finally {
      for (RawHttp raw : readers) {
        raw.close();
      }
    }
    TestFiles.awaitNothingOpen(root);
    Files.delete(root.resolve("big"));
  }

  private static long directMemory() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }

  @Test
  void get_connectionKeptOpen_servesTheNext() throws Exception {
    Files.writeString(root.resolve("f"), "hello");
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send("GET /files/f HTTP/1.1\r\nHost: localhost\r\n\r\n");
      raw.readUntil("hello");
      // In the time in which clients that stop in a request are cut.
      assertStalls();
      assertStalls();
      raw.send("GET /files/f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(raw.readAll()).endsWith("hello");
    }
  }
}
