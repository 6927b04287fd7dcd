package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp2;
import dev.ferry.wire.internal.RawHttp2.Frame;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.zerocopy.ZeroCopy;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server as a client of HTTP/2 sees it, well-behaved or not. */
@Timeout(300)
class Http2ServerTest {
  private static final int ENHANCE_YOUR_CALM = 11;
  private static final int MEBIBYTE = 1024 * 1024;

  @TempDir Path root;
  private HttpFilesServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root), "localhost", 0, 4096, ServerSettings.defaults());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private RawHttp2 open() throws IOException {
    return RawHttp2.open(server.port());
  }

  private void assertServes() throws IOException {
    Files.writeString(root.resolve("serves"), "still");
    try (RawHttp2 raw = open()) {
      raw.request(1, true, "GET", "/files/serves");
      assertThat(raw.body(1)).asString().isEqualTo("still");
    }
    Files.delete(root.resolve("serves"));
  }

  private static long directMemory() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }

  private void endless(String name, long size) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(root.resolve(name).toFile(), "rw")) {
      file.setLength(size);
    }
  }

  @Test
  void settings_atTheBeginning_announceLargeFramesAndLimits() throws IOException {
    try (RawHttp2 raw = open()) {
      Frame settings = raw.await(RawHttp2.SETTINGS);

      assertThat(settings.payload())
          .containsSequence(0, 3, 0, 0, 0, 100)
          .containsSequence(0, 4, 0, 0, -1, -1)
          .containsSequence(0, 5, 0, 4, 0, 0)
          .containsSequence(0, 6, 0, 4, 0, 0);
    }
  }

  @Test
  void get_prefaceByteByByte_isServed() throws Exception {
    Files.writeString(root.resolve("f"), "hello");
    try (RawHttp2 raw = new RawHttp2(server.port())) {
      for (char c : RawHttp2.PREFACE.toCharArray()) {
        raw.send(String.valueOf(c));
      }
      raw.send(RawHttp2.SETTINGS, 0, 0, new byte[0]);
      raw.request(1, true, "GET", "/files/f");

      Frame head = raw.await(RawHttp2.HEADERS);

      assertThat(head.status()).isEqualTo(200);
      assertThat(raw.body(1)).asString().isEqualTo("hello");
    }
  }

  @Test
  void get_withFieldsOverTheLimit_isRefusedAlone() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    try (RawHttp2 raw = open()) {
      raw.request(1, true, "GET", "/files/f", "authorization", "Bearer " + "a".repeat(14_000));
      assertThat(raw.body(1)).asString().isEqualTo("hello");
      // In frames of the size that this client may send before it has seen the settings.
      byte[] head = RawHttp2.head("GET", "/files/f", "x", "a".repeat(100_000));
      for (int at = 0; at < head.length; at += 16_384) {
        byte[] part = Arrays.copyOfRange(head, at, Math.min(head.length, at + 16_384));
        raw.send(
            at == 0 ? RawHttp2.HEADERS : RawHttp2.CONTINUATION,
            (at == 0 ? RawHttp2.END_STREAM : 0)
                | (at + part.length == head.length ? RawHttp2.END_HEADERS : 0),
            3,
            part);
      }
      assertThat(raw.body(3))
          .asString()
          .contains("\"status\":431", "more than 32768 bytes; send fewer, or a shorter token");
      raw.request(5, true, "GET", "/files/f");
      assertThat(raw.body(5)).asString().isEqualTo("hello");
    }
  }

  @Test
  void response_withoutABody_isOneFrame() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    Files.writeString(root.resolve("empty"), "");
    try (RawHttp2 raw = open()) {
      raw.request(1, true, "HEAD", "/files/f");
      Frame head = raw.await(RawHttp2.HEADERS);
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.endsStream()).isTrue();

      raw.request(3, true, "GET", "/files/empty");
      assertThat(raw.await(RawHttp2.HEADERS).status()).isEqualTo(200);

      raw.request(5, true, "HEAD", "/files/no");
      Frame missing = raw.await(RawHttp2.HEADERS);
      assertThat(missing.status()).isEqualTo(404);
      assertThat(missing.endsStream()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/files/../secret", "/files/a%2fb", "/files/%zz"})
  void get_badPath_problem(String path) throws IOException {
    try (RawHttp2 raw = open()) {
      raw.request(1, true, "GET", path);

      assertThat(raw.await(RawHttp2.HEADERS).status()).isEqualTo(400);
      assertThat(raw.body(1)).asString().contains("urn:ferry:error:invalid-path");
    }
  }

  @Test
  void request_withoutPath_resetsTheStreamAlone() throws IOException {
    try (RawHttp2 raw = open()) {
      byte[] noPath = {0, 7, ':', 'm', 'e', 't', 'h', 'o', 'd', 3, 'G', 'E', 'T'};
      raw.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, noPath);
      assertThat(raw.await(RawHttp2.RST_STREAM).stream()).isEqualTo(1);

      Files.writeString(root.resolve("f"), "hello");
      raw.request(3, true, "GET", "/files/f");
      assertThat(raw.body(3)).asString().isEqualTo("hello");
    }
  }

  @Test
  void put_inManyFrames_isStored() throws IOException {
    byte[] bytes = TestFiles.random(300_000);
    try (RawHttp2 raw = open()) {
      raw.await(RawHttp2.SETTINGS);
      raw.request(1, false, "PUT", "/files/d/f", "ferry-make-parents", "?1");
      awaitWindow(raw, 1);
      for (int at = 0; at < bytes.length; at += 1000) {
        int end = Math.min(bytes.length, at + 1000);
        raw.send(RawHttp2.DATA, 0, 1, Arrays.copyOfRange(bytes, at, end));
      }
      raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[0]);

      assertThat(raw.await(RawHttp2.HEADERS).endsStream()).isTrue();
    }
    assertThat(root.resolve("d/f")).binaryContent().isEqualTo(bytes);
  }

  @Test
  void put_otherLengthThanAnnounced_leavesNothing() throws Exception {
    try (RawHttp2 raw = open()) {
      raw.request(1, false, "PUT", "/files/f", "content-length", "10");
      raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[5]);

      assertThat(raw.await(RawHttp2.RST_STREAM).stream()).isEqualTo(1);
    }
    awaitNothingStored();
  }

  @Test
  void put_resetInTheMiddle_leavesNothing() throws Exception {
    try (RawHttp2 raw = open()) {
      raw.request(1, false, "PUT", "/files/d/f", "ferry-make-parents", "?1");
      raw.send(RawHttp2.DATA, 0, 1, new byte[16_000]);
      raw.resetStream(1);
      awaitNothingStored();
      assertServes();
    }
  }

  @Test
  void put_connectionLostInTheMiddle_leavesNothing() throws Exception {
    try (RawHttp2 raw = open()) {
      raw.request(1, false, "PUT", "/files/d/f", "ferry-make-parents", "?1");
      raw.send(RawHttp2.DATA, 0, 1, new byte[16_000]);
      while (TestFiles.names(root).isEmpty()) {
        Thread.sleep(5);
      }
    }
    awaitNothingStored();
  }

  /** The worker that has begun an upload may not have heard yet that it has ended. */
  private void awaitNothingStored() throws Exception {
    server.close();
    assertThat(TestFiles.names(root)).isEmpty();
    start();
  }

  @Test
  void data_onAStreamThatNeverBegan_endsTheConnection() throws IOException {
    try (RawHttp2 raw = open()) {
      raw.send(RawHttp2.DATA, 0, 3, new byte[1000]);

      assertThat(raw.await(RawHttp2.GOAWAY).error()).isNotZero();
    }
    assertServes();
  }

  @Test
  void put_tinyFramesWhileTheStoreWaits_endTheConnection() throws IOException {
    CountDownLatch release = new CountDownLatch(1);
    FileStore waiting = new WaitingStore(LocalFileStore.open(root), release);
    try (HttpFilesServer slow =
            HttpFilesServer.start(waiting, "localhost", 0, 4096, ServerSettings.defaults());
        RawHttp2 raw = RawHttp2.open(slow.port())) {
      raw.request(1, false, "PUT", "/files/f");
      assertThatThrownBy(
              () -> {
                raw.flood(100_000, RawHttp2.DATA, 0, 1, new byte[1]);
                raw.await(RawHttp2.GOAWAY);
                raw.next();
              })
          .isInstanceOf(IOException.class);
      release.countDown();
    }
    assertThat(TestFiles.names(root)).isEmpty();
  }

  /** Waits until the server has received all that was sent. */
  private static void awaitReceived(RawHttp2 raw) throws IOException {
    raw.send(RawHttp2.PING, 0, 0, new byte[8]);
    raw.await(RawHttp2.PING);
  }

  @Test
  void put_tinyFramesWhileTheStoreWaits_retainNoReadBuffers() throws IOException {
    CountDownLatch release = new CountDownLatch(1);
    FileStore waiting = new WaitingStore(LocalFileStore.open(root), release);
    try (HttpFilesServer slow =
            HttpFilesServer.start(waiting, "localhost", 0, 4096, ServerSettings.defaults());
        RawHttp2 raw = RawHttp2.open(slow.port())) {
      raw.request(1, false, "PUT", "/files/f");
      awaitReceived(raw);
      long before = directMemory();
      for (int i = 0; i < 2_000; i++) {
        raw.send(RawHttp2.DATA, 0, 1, new byte[1]);
        // So that the server reads each frame alone.
        awaitReceived(raw);
      }
      // The read buffers would have 16 KiB each.
      assertThat(directMemory() - before).isLessThan(12L * MEBIBYTE);
      release.countDown();
      raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[0]);
      raw.await(RawHttp2.HEADERS);
    }
    assertThat(root.resolve("f")).hasSize(2_000);
  }

  @Test
  void put_refusedToAClientThatTakesNoResponse_isDiscarded() throws IOException {
    ServerSettings closed = ServerSettings.defaults().withCallers(token -> null);
    try (HttpFilesServer strict =
            HttpFilesServer.start(LocalFileStore.open(root), "localhost", 0, 4096, closed);
        RawHttp2 raw = new RawHttp2(strict.port())) {
      raw.send(RawHttp2.PREFACE);
      byte[] noWindow = {0, 4, 0, 0, 0, 0};
      raw.send(RawHttp2.SETTINGS, 0, 0, noWindow);
      raw.await(RawHttp2.SETTINGS);
      raw.request(1, false, "PUT", "/files/f");
      raw.await(RawHttp2.HEADERS);
      long before = directMemory();
      sendInWindow(raw, new byte[16 * 1024], 12 * MEBIBYTE);
      awaitReceived(raw);
      assertThat(directMemory() - before).isLessThan(6L * MEBIBYTE);
    }
  }

  /** Lets uploads begin when it is told to. */
  private static final class WaitingStore extends ForwardingStore {
    private final CountDownLatch release;

    WaitingStore(FileStore store, CountDownLatch release) {
      super(store);
      this.release = release;
    }

    @Override
    public FileSink create(StorePath path, CreateOptions options) throws FerryException {
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new FerryException(ErrorKind.CANCELLED, "interrupted", e);
      }
      return super.create(path, options);
    }
  }

  @Test
  void resets_inAFlood_endTheConnection() throws IOException {
    endless("large", 100L * MEBIBYTE);
    try (RawHttp2 raw = open()) {
      int error = -1;
      try {
        for (int stream = 1; stream <= 2 * Limits.MAX_RESETS + 1; stream += 2) {
          raw.request(stream, true, "GET", "/files/large");
          raw.resetStream(stream);
        }
        error = raw.await(RawHttp2.GOAWAY).error();
      } catch (SocketException e) {
        // It was cut while we were still sending.
        error = ENHANCE_YOUR_CALM;
      }
      assertThat(error).isEqualTo(ENHANCE_YOUR_CALM);
    }
    assertServes();
  }

  /** OkHttp answers each frame that arrives after a cancellation with a reset. */
  @Test
  void resets_ofADownloadWhoseFramesStillArrive_leaveTheConnectionOpen() throws IOException {
    int frames = 3 * Limits.MAX_RESETS;
    endless("large", 100L * MEBIBYTE);
    try (RawHttp2 raw = open()) {
      raw.allow(0, Integer.MAX_VALUE / 2);
      raw.request(1, true, "GET", "/files/large");
      raw.allow(1, Integer.MAX_VALUE / 2);
      for (int i = 0; i < frames; i++) {
        raw.await(RawHttp2.DATA);
      }
      for (int i = 0; i < frames; i++) {
        raw.resetStream(1);
      }

      raw.request(3, true, "HEAD", "/files/large");
      RawHttp2.Frame frame;
      do {
        frame = raw.next();
        assertThat(frame.type()).isNotEqualTo(RawHttp2.GOAWAY);
      } while (frame.stream() != 3);
      assertThat(frame.status()).isEqualTo(200);
    }
  }

  @Test
  void headers_beyondTheLimit_areRefused() throws IOException {
    try (RawHttp2 raw = open()) {
      byte[] head = RawHttp2.head("GET", "/files/f", "x-large", "x".repeat(60_000));
      int flags = RawHttp2.END_STREAM;
      raw.send(RawHttp2.HEADERS, flags, 1, Arrays.copyOf(head, 16_000));
      int at = 16_000;
      for (; head.length - at > 16_000; at += 16_000) {
        raw.send(RawHttp2.CONTINUATION, 0, 1, Arrays.copyOfRange(head, at, at + 16_000));
      }
      byte[] rest = Arrays.copyOfRange(head, at, head.length);
      raw.send(RawHttp2.CONTINUATION, RawHttp2.END_HEADERS, 1, rest);

      assertThat(endOfConnectionOrStream(raw)).isNotEqualTo(200);
    }
    assertServes();
  }

  @Test
  void headers_thatNeverEnd_endTheConnection() throws IOException {
    try (RawHttp2 raw = open()) {
      raw.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, RawHttp2.head("GET", "/files/f"));
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100_000; i++) {
                  raw.send(RawHttp2.CONTINUATION, 0, 1, new byte[] {0, 1, 'x', 1, 'x'});
                }
                raw.await(RawHttp2.GOAWAY);
                raw.next();
              })
          .isInstanceOf(IOException.class);
    }
    assertServes();
  }

  /** The status of a response, or -1 if the stream or the connection was refused. */
  private static int endOfConnectionOrStream(RawHttp2 raw) throws IOException {
    try {
      while (true) {
        Frame frame = raw.next();
        if (frame.type() == RawHttp2.HEADERS) {
          return frame.status();
        }
        if (frame.type() == RawHttp2.RST_STREAM || frame.type() == RawHttp2.GOAWAY) {
          return -1;
        }
      }
    } catch (EOFException | SocketException e) {
      return -1;
    }
  }

  @Test
  void streams_beyondTheLimit_areRefusedAlone() throws IOException {
    endless("large", 100L * MEBIBYTE);
    try (RawHttp2 raw = open()) {
      for (int stream = 1; stream <= 2 * 100 + 1; stream += 2) {
        raw.request(stream, true, "GET", "/files/large");
      }
      assertThat(raw.await(RawHttp2.RST_STREAM).stream()).isEqualTo(201);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip"})
  void get_stalledStreams_holdLittleAndDisturbNobody(String coding) throws Exception {
    Files.write(root.resolve("large"), TestFiles.random(32 * MEBIBYTE));
    Files.write(root.resolve("small"), TestFiles.random(200_000));
    long before = directMemory();
    try (RawHttp2 raw = open()) {
      raw.allow(0, 100 * MEBIBYTE);
      for (int stream = 1; stream <= 7; stream += 2) {
        raw.request(stream, true, "GET", "/files/large", "accept-encoding", coding);
      }
      for (int i = 0; i < 50; i++) {
        int stream = 9 + 2 * i;
        raw.request(stream, true, "GET", "/files/small");
        raw.allow(stream, MEBIBYTE);
        assertThat(raw.body(stream)).hasSize(200_000);
        // A mebibyte and a buffer for each stalled stream, and the allocator's own overhead.
        assertThat(directMemory() - before).isLessThan(4L * 6 * MEBIBYTE);
      }
    }
    assertServes();
  }

  @Test
  void get_slowReader_memoryStaysFlat() throws Exception {
    int size = 24 * MEBIBYTE;
    endless("large", size);
    long before = directMemory();
    long most = 0;
    long read = 0;
    try (RawHttp2 raw = open()) {
      raw.request(1, true, "GET", "/files/large");
      while (true) {
        Frame frame = raw.next();
        if (frame.type() == RawHttp2.DATA) {
          read += frame.payload().length;
          most = Math.max(most, directMemory() - before);
          if (frame.endsStream()) {
            break;
          }
          if (frame.payload().length > 0) {
            raw.allow(0, frame.payload().length);
            raw.allow(1, frame.payload().length);
          }
        }
      }
    }
    assertThat(read).isEqualTo(size);
    assertThat(most).isLessThan(8L * MEBIBYTE);
  }

  private static String settingsField() {
    byte[] window = {0, 4, 0, 1, 0, 0};
    return Base64.getUrlEncoder().withoutPadding().encodeToString(window);
  }

  private static String upgrade(String requestLine, String settings, String more) {
    return requestLine
        + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
        + "Upgrade: h2c\r\nHTTP2-Settings: "
        + settings
        + "\r\n"
        + more
        + "\r\n";
  }

  @Test
  void upgrade_ofARequestWithoutBody_isServedOverHttp2() throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    Files.writeString(root.resolve("g"), "again");
    try (RawHttp2 raw = new RawHttp2(server.port())) {
      // A connection may have been used before.
      raw.send("HEAD /files/f HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 200 OK\r\n");

      raw.send(upgrade("GET /files/f", settingsField(), ""));
      assertThat(raw.readHead()).startsWith("HTTP/1.1 101 ").contains("upgrade: h2c");
      raw.send(RawHttp2.PREFACE);
      raw.send(RawHttp2.SETTINGS, 0, 0, new byte[0]);
      assertThat(raw.body(1)).asString().isEqualTo("hello");
      raw.request(3, true, "GET", "/files/g");
      assertThat(raw.body(3)).asString().isEqualTo("again");
    }
  }

  @Test
  void upgrade_ofARequestWithBody_isServedOverHttp1() throws IOException {
    try (RawHttp2 raw = new RawHttp2(server.port())) {
      raw.send(upgrade("PUT /files/f", settingsField(), "Content-Length: 5\r\n") + "hello");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 201 ");
    }
    assertThat(root.resolve("f")).hasContent("hello");
  }

  @ParameterizedTest
  @ValueSource(strings = {"!!!", "AAAA"})
  void upgrade_badSettings_isServedOverHttp1(String settings) throws IOException {
    Files.writeString(root.resolve("f"), "hello");
    try (RawHttp2 raw = new RawHttp2(server.port())) {
      raw.send(upgrade("GET /files/f", settings, ""));
      assertThat(raw.readHead()).startsWith("HTTP/1.1 200 OK\r\n");
    }
    assertServes();
  }

  @Test
  void close_idleConnection_saysGoodbye() throws IOException {
    try (RawHttp2 raw = open()) {
      raw.send(RawHttp2.PING, 0, 0, new byte[8]);
      raw.await(RawHttp2.PING);

      server.close();

      assertThat(raw.await(RawHttp2.GOAWAY).error()).isZero();
    }
  }

  @Test
  void put_windowOfAStream_isReturnedInQuarters() throws IOException {
    int quarter = ZeroCopy.WINDOW / 4;
    byte[] frame = new byte[256 * 1024];
    try (RawHttp2 raw = open()) {
      raw.await(RawHttp2.SETTINGS);
      raw.request(1, false, "PUT", "/files/f");
      assertThat(awaitWindow(raw, 1)).isEqualTo(ZeroCopy.WINDOW - BodyMemory.SMALL);
      for (int sent = 0; sent < quarter; sent += frame.length) {
        raw.send(RawHttp2.DATA, 0, 1, frame);
      }
      assertThat(awaitWindow(raw, 1)).isEqualTo(quarter);
    }
  }

  private static int awaitWindow(RawHttp2 raw, int stream) throws IOException {
    Frame update = raw.await(RawHttp2.WINDOW_UPDATE);
    while (update.stream() != stream) {
      update = raw.await(RawHttp2.WINDOW_UPDATE);
    }
    return ByteBuffer.wrap(update.payload()).getInt();
  }

  /** Sends as much of a body as the window of the stream permits, until all is sent. */
  private static void sendInWindow(RawHttp2 raw, byte[] frame, int bytes) throws IOException {
    int window = BodyMemory.SMALL;
    for (int sent = 0; sent < bytes; sent += frame.length) {
      while (window < frame.length) {
        window += awaitWindow(raw, 1);
      }
      raw.send(RawHttp2.DATA, 0, 1, frame);
      window -= frame.length;
    }
  }

  /** A client that takes no response, and sends bodies that nobody wants. */
  @Test
  void get_bodyThatNobodyWants_isDiscardedAsItComes() throws Exception {
    Files.write(root.resolve("f"), new byte[1024 * 1024]);
    byte[] frame = new byte[16 * 1024];
    try (RawHttp2 raw = open()) {
      raw.await(RawHttp2.SETTINGS);
      raw.send(RawHttp2.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
      raw.request(1, false, "GET", "/files/f");
      assertThat(raw.await(RawHttp2.HEADERS).status()).isEqualTo(200);
      sendInWindow(raw, frame, 2 * ZeroCopy.WINDOW);
    }
    assertServes();
  }

  @Test
  void put_windowOfTheConnection_isGivenBackForRefusedBodies() throws IOException {
    try (RawHttp2 raw = open()) {
      raw.await(RawHttp2.SETTINGS);
      // Each is refused, and yet read: more of them than the connection's window holds.
      for (int stream = 1; stream < 2 * 600; stream += 2) {
        raw.request(stream, false, "PUT", "/files/../no");
        for (int i = 0; i < 4; i++) {
          raw.send(RawHttp2.DATA, 0, stream, new byte[15_000]);
        }
        raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, stream, new byte[0]);
        assertThat(raw.await(RawHttp2.HEADERS).status()).isEqualTo(400);
      }
    }
    assertServes();
  }
}
