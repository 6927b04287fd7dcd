package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Small files, which the server reads and writes at once, on the event loop if it may. */
@Timeout(300)
final class SmallFilesTest {
  private static final String HELLO = "HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n";

  @TempDir Path root;

  /** The threads that have used the store. */
  private final List<String> threads = new CopyOnWriteArrayList<>();

  private final BlockingQueue<EndedRequest> ended = new LinkedBlockingQueue<>();

  private HttpFilesServer serve(FileStore store) throws FerryException {
    ServerSettings settings =
        ServerSettings.defaults()
            .withListener(
                new RequestListener() {
                  @Override
                  public void began(ServedRequest request) {}

                  @Override
                  public void ended(EndedRequest request) {
                    ended.add(request);
                  }
                });
    return HttpFilesServer.start(store, "localhost", 0, 4096, settings);
  }

  private FileStore store() throws FerryException {
    return LocalFileStore.open(root);
  }

  /** Records on which threads it is used. The first opened file takes long. */
  private final class WatchedStore extends ForwardingStore {
    WatchedStore(FileStore store) {
      super(store);
    }

    @Override
    public FileSource open(StorePath path) throws FerryException {
      if (threads.isEmpty()) {
        try {
          TimeUnit.MILLISECONDS.sleep(1000);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      threads.add(Thread.currentThread().getName());
      return super.open(path);
    }

    @Override
    public FileSink create(StorePath path, CreateOptions options) throws FerryException {
      threads.add(Thread.currentThread().getName());
      return new ForwardingSink(super.create(path, options)) {
        @Override
        public FileFacts commit(long size, @Nullable Digest digest) throws FerryException {
          threads.add(Thread.currentThread().getName());
          return super.commit(size, digest);
        }
      };
    }
  }

  @Test
  void get_afterTheStoreWasSlow_opensFilesOnWorkers() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    try (HttpFilesServer server = serve(new WatchedStore(store()))) {
      for (int i = 0; i < 2; i++) {
        assertThat(RawHttp.exchange(server.port(), "GET /files/f HTTP/1.1\r\n")).endsWith("hello");
      }
    }
    assertThat(threads).hasSize(2);
    assertThat(threads.get(0)).doesNotContain("disk");
    assertThat(threads.get(1)).contains("disk");
  }

  @Test
  void put_storeThatForcesToTheDisk_commitsOnAWorker() throws IOException {
    FileStore forcing = LocalFileStore.open(root, SinkOptions.DEFAULT.withSync(true));
    try (HttpFilesServer server = serve(new WatchedStore(forcing))) {
      String head = "PUT /files/f HTTP/1.1\r\nContent-Length: 5\r\n";
      byte[] body = "hello".getBytes(StandardCharsets.US_ASCII);
      assertThat(RawHttp.exchange(server.port(), head, body)).startsWith("HTTP/1.1 201 ");
    }
    assertThat(threads).hasSize(2);
    assertThat(threads.get(0)).doesNotContain("disk");
    assertThat(threads.get(1)).contains("disk");
    assertThat(root.resolve("f")).hasContent("hello");
  }

  @Test
  void put_bodyInPieces_isStoredWhole() throws IOException {
    try (HttpFilesServer server = serve(store());
        RawHttp raw = new RawHttp(server.port())) {
      raw.send("PUT /files/f " + HELLO + "\r\n");
      for (String piece : "hello".split("")) {
        raw.send(piece);
      }
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 201 ");
    }
    assertThat(root.resolve("f")).hasContent("hello");
  }

  @Test
  void put_clientGoneInTheBody_leavesNothing() throws Exception {
    try (HttpFilesServer server = serve(new WatchedStore(store()))) {
      try (RawHttp raw = new RawHttp(server.port())) {
        raw.send("PUT /files/new/f " + HELLO + "Ferry-Make-Parents: ?1\r\n\r\nhel");
      }
      assertThat(ended.take().error()).isNotNull();
    }
    assertThat(threads).isEmpty();
    assertThat(TestFiles.names(root)).isEmpty();
  }

  @Test
  void put_wrongDigest_storesNothingAndTheConnectionGoesOn() throws IOException {
    try (HttpFilesServer server = serve(store());
        RawHttp raw = new RawHttp(server.port())) {
      raw.send(
          "PUT /files/f "
              + HELLO
              + "Unencoded-Digest: crc32c=:AAAAAA==:\r\n\r\nhello"
              + ("PUT /files/g " + HELLO + "\r\nhello"));
      assertThat(raw.readUntil("HTTP/1.1 201 ")).contains("digest-mismatch");
    }
    assertThat(TestFiles.names(root)).containsExactly("g");
  }

  @Test
  void get_smallFileInPlaintext_hasTheWantedDigestInTheHead() throws IOException {
    Path file = Files.writeString(root.resolve("f"), "hello");
    try (HttpFilesServer server = serve(store())) {
      for (Digest.Algorithm algorithm : Digest.Algorithm.values()) {
        String field = HttpRoutes.digestField(algorithm.ofFile(file));
        String request =
            "GET /files/f HTTP/1.1\r\nTE: trailers\r\nWant-Unencoded-Digest: "
                + (algorithm == Digest.Algorithm.SHA256 ? "sha-256" : "crc32c")
                + "=10\r\n";
        assertThat(RawHttp.exchange(server.port(), request))
            .contains("Unencoded-Digest: " + field + "\r\n")
            .containsIgnoringCase("content-length: 5\r\n")
            .endsWith("\r\n\r\nhello");
      }
    }
  }

  @Test
  void requests_manyThatCameTogether_areAnsweredInOrderAndReported() throws Exception {
    int count = 500;
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String name = "f" + i;
      requests.append("PUT /files/").append(name).append(' ').append(HELLO).append("\r\nhello");
      requests.append("GET /files/").append(name).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
      requests.append("GET /files/no").append(i).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    try (HttpFilesServer server = serve(store());
        RawHttp raw = new RawHttp(server.port())) {
      raw.send(requests.toString());
      for (int i = 0; i < count; i++) {
        assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 201 ");
        assertThat(raw.readUntil("\r\n\r\nhello")).contains("filename=\"f" + i + "\"");
        assertThat(raw.readUntil("}")).startsWith("HTTP/1.1 404 ").contains("no" + i + ": no such");
      }
      for (int i = 0; i < count; i++) {
        assertThat(ended.take().bytes()).isEqualTo(5);
        assertThat(ended.take().bytes()).isEqualTo(5);
        assertThat(ended.take().error()).isNotNull();
      }
    }
  }

  @Test
  void requests_ofAUserWithOneCallThatCameTogether_areAllServed(@TempDir Path secrets)
      throws Exception {
    Files.writeString(root.resolve("f"), "hello");
    Path callers = secrets.resolve("callers");
    String token = CallersFile.addToken(callers, "alice", List.of("all:/", "calls:1"));
    ServerSettings settings = ServerSettings.defaults().withCallers(CallersFile.open(callers));
    String get = "GET /files/f HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token;
    try (HttpFilesServer server = HttpFilesServer.start(store(), "localhost", 0, 4096, settings);
        RawHttp raw = new RawHttp(server.port())) {
      raw.send((get + "\r\n\r\n").repeat(20) + get + "\r\nConnection: close\r\n\r\n");
      assertThat(raw.readAll())
          .containsPattern("(?s)(200 OK.*?hello.*?){21}")
          .doesNotContain("429");
    }
  }

  @Test
  void requests_manyWhoseResponsesNobodyReads_occupyLittleMemory() throws Exception {
    Files.write(root.resolve("f"), new byte[64 * 1024]);
    byte[] request =
        "GET /files/f HTTP/1.1\r\nHost: localhost\r\n\r\n"
            .repeat(3_000)
            .getBytes(StandardCharsets.US_ASCII);
    try (HttpFilesServer server = serve(store());
        RawHttp raw = new RawHttp(server.port())) {
      raw.send(request);
      assertThat(ended.take().bytes()).isEqualTo(64 * 1024);
      // Another connection is served meanwhile.
      assertThat(RawHttp.exchange(server.port(), "HEAD /files/f HTTP/1.1\r\n"))
          .startsWith("HTTP/1.1 200 ");
      assertThat(ended.size()).isLessThan(1_000);
    }
  }

  @Test
  void get_partOfALargeFile_isReadAtOnce() throws IOException {
    Files.write(root.resolve("f"), ByteBuffer.allocate(1 << 20).putInt(1 << 19, 7).array());
    try (HttpFilesServer server = serve(store())) {
      String request = "GET /files/f HTTP/1.1\r\nRange: bytes=524288-524291\r\n";
      assertThat(RawHttp.exchange(server.port(), request))
          .startsWith("HTTP/1.1 206 ")
          .endsWith("\r\n\r\n\0\0\0\7");
    }
  }
}
