package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that end their side of a connection and wait for their responses, and some that went. */
@Timeout(120)
final class HalfClosedTest {
  /** Too large for all buffers between a file and a client that does not read. */
  private static final int BIG = 16 << 20;

  private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";

  @TempDir Path root;
  private final ServerSettings settings = ServerSettings.defaults();
  private final CountDownLatch listing = new CountDownLatch(1);
  private final CountDownLatch mayList = new CountDownLatch(1);
  private HttpFilesServer server;

  /** A store whose lists take as long as a test wants. */
  private final class SlowStore extends ForwardingStore {
    SlowStore(FileStore store) {
      super(store);
    }

    @Override
    public Listing list(StorePath directory) throws FerryException {
      listing.countDown();
      try {
        mayList.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.list(directory);
    }
  }

  @BeforeEach
  void start() throws IOException {
    server =
        HttpFilesServer.start(
            new SlowStore(LocalFileStore.open(root)), "localhost", 0, 65_536, settings);
  }

  @AfterEach
  void stop() {
    mayList.countDown();
    server.closeNow();
  }

  /** Sends a request and the end of this side, and returns all that arrives until the other end. */
  private String exchange(String request) throws IOException {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send(request);
      raw.endOutput();
      return raw.readAll();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /fi", "GET /files/ HTTP/1.1\r\nHost: local"})
  void request_cutWithinItsHead_isNotRefused(String start) throws IOException {
    assertThat(exchange(start)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"identity, ''", "gzip, ''", "identity, Connection: close"})
  void get_ofAClientThatEndedItsSide_isSentToItsEnd(String coding, String field) throws Exception {
    byte[] bytes = TestFiles.incompressible(BIG);
    Files.write(root.resolve("big"), bytes);

    String response =
        exchange(
            "GET /files/big"
                + HOST
                + "Accept-Encoding: "
                + coding
                + "\r\n"
                + (field.isEmpty() ? "" : field + "\r\n")
                + "\r\n");

    assertThat(response).startsWith("HTTP/1.1 200 ");
    byte[] received = response.getBytes(StandardCharsets.ISO_8859_1);
    assertThat(received.length).isGreaterThan(BIG);
    if (coding.equals("identity")) {
      assertThat(received).endsWith(bytes);
    }
  }

  @Test
  void requestsAhead_ofAClientThatEndedItsSide_allHaveTheirResponses() throws Exception {
    byte[] bytes = TestFiles.incompressible(BIG);
    Files.write(root.resolve("big"), bytes);
    Files.writeString(root.resolve("small"), "hello");

    String responses = exchange("GET /files/big" + HOST + "\r\nGET /files/small" + HOST + "\r\n");

    assertThat(responses).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nhello");
    assertThat(responses.length()).isGreaterThan(BIG);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 100", "Transfer-Encoding: chunked"})
  void put_thatIsIncomplete_leavesNothing(String field) throws Exception {

    assertThat(exchange("PUT /files/f" + HOST + field + "\r\n\r\n50\r\nhello")).isEmpty();

    dev.ferry.core.TestFiles.awaitTree(root);
    dev.ferry.core.TestFiles.awaitNothingOpen(root);
  }

  @Test
  void list_ofAClientThatEndedItsSide_isSent() throws Exception {
    try (RawHttp raw = new RawHttp(server.port())) {
      raw.send("GET /files/" + HOST + "\r\n");
      raw.endOutput();
      listing.await();
      mayList.countDown();

      assertThat(raw.readAll()).startsWith("HTTP/1.1 200 ").contains("\r\n[]\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void list_ofAClientThatIsGone_endsWhenItIsSent(boolean reset) throws Exception {
    requestAndLeave("GET", reset);
    listing.await();
    mayList.countDown();
    awaitNoConnection();
  }

  @Test
  void delete_ofATreeByAClientThatIsGone_ends() throws Exception {
    Files.createDirectories(root.resolve("dir/sub"));
    requestAndLeave("DELETE", false);
    awaitNoConnection();
    assertThat(mayList.getCount()).isEqualTo(1);
    assertThat(root.resolve("dir/sub")).exists();
  }

  private void requestAndLeave(String method, boolean reset) throws IOException {
    String path = method.equals("GET") ? "/files/" : "/files/dir/";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(ascii(method + " " + path + HOST + "\r\n"));
      socket.shutdownOutput();
      if (reset) {
        socket.setSoLinger(true, 0);
      }
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void awaitNoConnection() throws InterruptedException {
    while (settings.connections().open() > 0) {
      Thread.sleep(5);
    }
  }
}
