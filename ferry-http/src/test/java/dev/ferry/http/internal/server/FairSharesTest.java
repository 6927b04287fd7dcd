package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that takes all it can get, from one address, and a good one from another. What the first
 * wants would take hours, so the good one is answered meanwhile or never.
 */
@Timeout(120)
final class FairSharesTest {
  private static final String GREEDY = "127.0.0.2";
  private static final long HUGE = 1L << 40;
  private static final int CONNECTIONS = 64;

  @TempDir Path root;
  private HttpFilesServer server;
  private final List<Socket> greedy = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    Files.writeString(root.resolve("small"), "small");
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root), "127.0.0.1", 0, 65_536, ServerSettings.defaults());
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : greedy) {
      socket.close();
    }
    server.closeNow();
  }

  private Socket greedy(String request) throws IOException {
    Socket socket =
        new Socket(
            InetAddress.getByName("127.0.0.1"), server.port(), InetAddress.getByName(GREEDY), 0);
    greedy.add(socket);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** The good client: lists, stores, reads and deletes. */
  private void assertServed() throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      String host = " HTTP/1.1\r\nHost: localhost\r\n";
      raw.send("GET /files/?recursive" + host + "\r\n");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    }
    try (RawHttp raw = new RawHttp(server.port())) {
      String host = " HTTP/1.1\r\nHost: localhost\r\n";
      raw.send("PUT /files/new" + host + "Content-Length: 100000\r\n\r\n" + "x".repeat(100_000));
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 201 ");
      raw.send("GET /files/new" + host + "Accept-Encoding: gzip\r\n\r\n");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    }
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send("DELETE /files/new HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(raw.readAll()).startsWith("HTTP/1.1 204 ");
    }
  }

  @Test
  void getGzip_ofZerosOnManyConnections_othersAreServed() throws Exception {
    TestFiles.sparse(root.resolve("zeros"), HUGE);
    for (int i = 0; i < CONNECTIONS; i++) {
      greedy("GET /files/zeros HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");
    }
    assertServed();
  }

  @Test
  void getZip_ofZerosOnManyConnections_othersAreServed() throws Exception {
    TestFiles.sparse(root.resolve("zeros"), HUGE);
    for (int i = 0; i < CONNECTIONS; i++) {
      greedy("GET /files/?zip HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    assertServed();
  }

  @Test
  void head_digestsOfHugeFiles_othersGetTheirs() throws Exception {
    for (int i = 0; i < CONNECTIONS; i++) {
      TestFiles.sparse(root.resolve("huge" + i), HUGE);
      greedy(
          "HEAD /files/huge"
              + i
              + " HTTP/1.1\r\nHost: localhost\r\nWant-Unencoded-Digest: sha-256=9\r\n\r\n");
    }
    TestFiles.sparse(root.resolve("large"), 16L << 20);
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "HEAD /files/large HTTP/1.1\r\nHost: localhost\r\nWant-Unencoded-Digest: sha-256=9\r\n\r\n");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ").contains("sha-256=:");
    }
    assertServed();
  }

  @Test
  void put_announcesAllThatIsLeft_othersStore() throws Exception {
    long usable = Files.getFileStore(root).getUsableSpace();
    for (int i = 0; i < CONNECTIONS; i++) {
      Socket socket =
          greedy(
              "PUT /files/huge"
                  + i
                  + " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
                  + usable / 3
                  + "\r\n\r\n");
      // Told to go on, or that there is no room.
      assertThat(socket.getInputStream().read()).isEqualTo('H');
    }
    assertServed();
  }
}
