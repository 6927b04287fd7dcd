package dev.ferry.http.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.Change;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.Download;
import dev.ferry.http.HttpFiles;
import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.contract.ByteRange;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Downloads in parts from servers that do less with parts than Ferry's. */
@Timeout(300)
class OtherServersTest {
  private final byte[] bytes = TestFiles.random(3_000_000);
  private final List<String> requests = new CopyOnWriteArrayList<>();
  @TempDir Path folder;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Carrier connect() {
    return HttpFiles.connect("localhost", server.getAddress().getPort());
  }

  private void assertDownloads() throws IOException {
    Path target = folder.resolve("target");
    try (Carrier carrier = connect()) {
      Transfer transfer =
          Download.run(
              Carriers.of(
                  carrier,
                  () -> {
                    throw new AssertionError("one connection is enough");
                  }),
              2,
              StorePath.parse("f"),
              target,
              TransferOptions.DEFAULT,
              Retries.NONE);
      assertThat(target).binaryContent().isEqualTo(bytes);
      assertThat(transfer.facts().crc32c()).isEqualTo(Digest.Algorithm.CRC32C.ofFile(target));
    }
  }

  private void answer(HttpExchange exchange, int status, ByteRange part) throws IOException {
    requests.add(
        exchange.getRequestMethod() + " " + exchange.getRequestHeaders().getFirst("Range"));
    Digest digest = Digest.Algorithm.CRC32C.ofFile(Files.write(folder.resolve("copy"), bytes));
    exchange.getResponseHeaders().set(HttpRoutes.UNENCODED_DIGEST, HttpRoutes.digestField(digest));
    exchange.sendResponseHeaders(status, part.length());
    exchange.getResponseBody().write(bytes, (int) part.first(), (int) part.length());
    exchange.close();
  }

  @Test
  void parallel_serverIgnoresRange_downloadsWholeByOneRequest() throws Exception {
    server.createContext(
        "/files/f", exchange -> answer(exchange, 200, new ByteRange(0, bytes.length)));
    assertDownloads();
    assertThat(requests).containsExactly("GET bytes=0-1048575");
  }

  @Test
  void parallel_partsWithoutEntityTag_downloadsWhole() throws Exception {
    server.createContext(
        "/files/f",
        exchange -> {
          ByteRange part =
              ByteRange.ofRequest(
                  exchange.getRequestHeaders().getOrDefault("Range", List.of()), bytes.length);
          if (part != null) {
            exchange.getResponseHeaders().set("Content-Range", part.contentRange(bytes.length));
          }
          answer(
              exchange,
              part == null ? 200 : 206,
              Objects.requireNonNullElse(part, new ByteRange(0, bytes.length)));
        });
    assertDownloads();
    assertThat(requests).containsExactly("GET bytes=0-1048575", "GET null");
  }

  @Test
  void download_serverWithoutDigests_isRefusedBeforeTheBody() throws Exception {
    CompletableFuture<Boolean> sent = new CompletableFuture<>();
    server.createContext(
        "/files/f",
        exchange -> {
          requests.add(exchange.getRequestMethod());
          exchange.sendResponseHeaders(200, 1L << 40);
          try (OutputStream body = exchange.getResponseBody()) {
            while (true) {
              body.write(bytes);
            }
          } catch (IOException e) {
            // The client has ended the connection.
            sent.complete(true);
          }
        });
    Path target = folder.resolve("target");
    StorePath path = StorePath.parse("f");
    try (Carrier carrier = connect()) {
      assertThatThrownBy(() -> carrier.download(path, target, TransferOptions.DEFAULT))
          .hasMessage(
              "f: the server gives no CRC-32C to verify it by; --checksum none, or"
                  + " withDigest(null) in a program, transfers it unverified")
          .asInstanceOf(InstanceOfAssertFactories.type(FerryException.class))
          .extracting(FerryException::kind)
          .isEqualTo(ErrorKind.INVALID_REQUEST);
      assertThat(sent.get(1, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(requests).containsExactly("GET");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void stat_serverThatIsBusy_saysWhenToTryAgain() throws Exception {
    server.createContext(
        "/files/f",
        exchange -> {
          exchange.getResponseHeaders().set("Retry-After", "7");
          exchange.sendResponseHeaders(429, -1);
          exchange.close();
        });
    try (Carrier carrier = connect()) {
      assertThatThrownBy(() -> carrier.stat(StorePath.parse("f"), null, CallLimits.DEFAULT))
          .asInstanceOf(InstanceOfAssertFactories.type(FerryException.class))
          .extracting(FerryException::kind, FerryException::retryAfter)
          .containsExactly(ErrorKind.OVERLOADED, Duration.ofSeconds(7));
    }
  }

  @Test
  void change_serverIsUnavailable_isNotSentToAnotherAtOnce() throws Exception {
    // It may have made the change, or a proxy before it says so.
    server.createContext(
        "/files/",
        exchange -> {
          requests.add(exchange.getRequestMethod());
          exchange.sendResponseHeaders(503, -1);
          exchange.close();
        });
    int port = server.getAddress().getPort();
    Servers servers =
        Servers.of(
            List.of(
                new Servers.Address("127.0.0.1", port), new Servers.Address("localhost", port)));
    StorePath file = StorePath.parse("f");
    try (Carrier carrier = HttpFiles.connect(servers, null, null)) {
      for (ThrowingCallable change :
          List.<ThrowingCallable>of(
              () -> carrier.change(new Change.Delete(file, null), CallLimits.DEFAULT),
              () ->
                  carrier.change(
                      new Change.Move(file, StorePath.parse("g"), false), CallLimits.DEFAULT),
              () -> carrier.change(new Change.MakeDirectory(file, false), CallLimits.DEFAULT))) {
        requests.clear();
        assertThatThrownBy(change)
            .asInstanceOf(InstanceOfAssertFactories.type(FerryException.class))
            .extracting(FerryException::kind, FerryException::hasOtherServers)
            .containsExactly(ErrorKind.UNAVAILABLE, true);
        assertThat(requests).hasSize(1);
      }
      requests.clear();
      assertThatThrownBy(() -> carrier.stat(file, null, CallLimits.DEFAULT))
          .hasMessageContaining("none of");
      assertThat(requests).hasSize(2);
    }
  }
}
