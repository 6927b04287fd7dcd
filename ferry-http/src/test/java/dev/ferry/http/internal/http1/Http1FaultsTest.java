package dev.ferry.http.internal.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client of HTTP/1.1 with servers that lie, stall or go away. */
@Timeout(300)
final class Http1FaultsTest {
  /** Of a Ferry server, which is asked for the digest later. */
  private static final String OK = "HTTP/1.1 200 OK\r\nFerry-Mode: 644\r\n";

  private static final String HALF = OK + "Content-Length: 1000000\r\n\r\nhalf";

  @TempDir Path local;
  private ServerSocket listener;
  private Carrier carrier;

  @BeforeEach
  void start() throws IOException {
    listener = new ServerSocket(0);
    carrier = HttpFiles.connect("localhost", listener.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    carrier.close();
    listener.close();
  }

  /** Reads the head of one request, responds, and returns the connection. */
  private CompletableFuture<Socket> respond(String response) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            Socket socket = listener.accept();
            while (!hasHead(socket.getInputStream())) {
              socket.close();
              socket = listener.accept();
            }
            socket.getOutputStream().write(response.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return socket;
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  /** Reads the head of a request. Returns false if the client has gone before its end. */
  private static boolean hasHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return false;
      }
      head.append((char) next);
    }
    return true;
  }

  private FerryException failure(TransferOptions options) {
    return catchThrowableOfType(
        FerryException.class,
        () -> carrier.download(StorePath.parse("f"), local.resolve("t"), options));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        HALF,
        OK + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        OK + "Content-Encoding: gzip\r\nConnection: close\r\n\r\n\u001f\u008b\b",
        OK + "Content-Encoding: gzip\r\nConnection: close\r\n\r\nno gzip header",
      })
  void download_cutBody_incompleteAndNothingLeft(String response) throws Exception {
    var closed =
        respond(response)
            .thenAccept(
                socket -> {
                  try {
                    socket.close();
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });

    assertThat(failure(TransferOptions.DEFAULT).kind()).isEqualTo(ErrorKind.INCOMPLETE);

    closed.get();
    assertThat(TestFiles.names(local)).isEmpty();
  }

  @Test
  void download_bomb_isGivenUpAndNothingIsLeft() throws Exception {
    String bomb = new String(TestFiles.gzip(new byte[30_000_000]), StandardCharsets.ISO_8859_1);
    String head = OK + "Content-Encoding: gzip\r\nContent-Length: " + bomb.length() + "\r\n";
    CompletableFuture<Socket> first = respond(head + "\r\n" + bomb);
    FerryException silent = failure(TransferOptions.DEFAULT.withVerify(false));
    assertThat(silent).hasMessageContaining("decompresses to more than 200 times what was sent");
    assertThat(silent.kind()).isEqualTo(ErrorKind.TOO_LARGE);
    first.get().close();
    CompletableFuture<Socket> second = respond(head + "Ferry-Unencoded-Length: 5\r\n\r\n" + bomb);
    FerryException lying = failure(TransferOptions.DEFAULT.withVerify(false));
    assertThat(lying).hasMessageContaining("more than the 5 announced bytes came");
    assertThat(lying.kind()).isEqualTo(ErrorKind.INCOMPLETE);
    second.get().close();
    assertThat(TestFiles.names(local)).isEmpty();
  }

  static Stream<Arguments> unsoundLists() {
    String entry = "{\"name\":\"a\",\"size\":1,\"lastModified\":\"2026-01-02T03:04:05Z\"}";
    String open = "{\"name\":\"b\",\"lastModified\":\"2026-01-02T03:04:05Z\",";
    return Stream.of(
        arguments(ErrorKind.INTERNAL, 0, ""),
        arguments(ErrorKind.INTERNAL, 0, "{}"),
        arguments(ErrorKind.INTERNAL, 0, "<html>"),
        arguments(ErrorKind.INTERNAL, 0, "[1]"),
        arguments(ErrorKind.INTERNAL, 0, "[{}]"),
        arguments(ErrorKind.INTERNAL, 1, "[" + entry + ",null]"),
        arguments(ErrorKind.INTERNAL, 1, "[" + entry + "," + open + "\"size\":\"1\"}]"),
        arguments(
            ErrorKind.INTERNAL, 1, "[" + entry + "," + open + "\"size\":" + "9".repeat(30) + "}]"),
        arguments(ErrorKind.INTERNAL, 1, "[" + entry + "," + open + "\"name\":[\"b\"]}]"),
        arguments(ErrorKind.INTERNAL, 1, "[" + entry + "," + open + "\"sha256\":\"00\"}]"),
        arguments(ErrorKind.INTERNAL, 1, "[" + entry + "," + open + "\"directory\":1}]"),
        arguments(ErrorKind.INTERNAL, 1, "[" + entry + ",{\"lastModified\":\"soon\"}]"),
        arguments(ErrorKind.INTERNAL, 1, "[" + entry + "," + open + "\"x\":" + "[".repeat(5000)),
        arguments(
            ErrorKind.INTERNAL,
            1,
            "[" + entry + "," + open + "\"" + "x".repeat(100_000) + "\":0}]"),
        arguments(
            ErrorKind.INTERNAL,
            1,
            "[" + entry + "," + open + "\"name\":\"" + "x".repeat(100_000) + "\"}]"),
        arguments(ErrorKind.INCOMPLETE, 1, "[" + entry));
  }

  @ParameterizedTest
  @MethodSource("unsoundLists")
  void list_unsoundBody_failsBehindTheSoundEntries(ErrorKind kind, int sound, String body)
      throws Exception {
    var connection =
        respond("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    List<FileFacts> seen = new ArrayList<>();
    FerryException failure =
        catchThrowableOfType(
            FerryException.class,
            () -> carrier.list(StorePath.parse("d"), false, seen::add, CallLimits.DEFAULT));
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure).hasMessageStartingWith("d: the server's list ");
    assertThat(failure.getMessage()).doesNotContain("\n").hasSizeLessThan(300);
    assertThat(seen).hasSize(sound);
    connection.get().close();
  }

  @Test
  void list_withFieldsNobodyKnows_isRead() throws Exception {
    String body =
        "[{\"x\":{\"name\":[1,{}]},\"name\":\"a\",\"lastModified\":\"2026-01-02T03:04:05Z\",\"y\":null}]";
    var connection =
        respond("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    assertThat(carrier.list(StorePath.ROOT)).extracting(FileFacts::name).containsExactly("a");
    connection.get().close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", HALF})
  void download_stall_deadlineExceeded(String response) throws Exception {
    CompletableFuture<Socket> connection = respond(response);

    assertPassesDeadline(connection, options -> failure(options));

    connection.get().close();
    assertThat(TestFiles.names(local)).isEmpty();
  }

  /** Allows more time until the server has seen a request: the first one of a client is slow. */
  private static void assertPassesDeadline(
      CompletableFuture<Socket> connection, Function<TransferOptions, FerryException> call) {
    for (Duration time = Duration.ofMillis(500); !connection.isDone(); time = time.plus(time)) {
      assertThat(call.apply(TransferOptions.DEFAULT.withTimeout(time)).kind())
          .isEqualTo(ErrorKind.DEADLINE_EXCEEDED);
    }
  }

  @Test
  void upload_stall_deadlineExceeded() throws Exception {
    Path source = Files.write(local.resolve("s"), TestFiles.random(30_000_000));
    for (boolean gzip : new boolean[] {false, true}) {
      CompletableFuture<Socket> connection = respond("");
      assertPassesDeadline(
          connection,
          options ->
              catchThrowableOfType(
                  FerryException.class,
                  () ->
                      carrier.upload(
                          source, StorePath.parse("f"), options.withVerify(false).withGzip(gzip))));
      // The other end notices, because its connection ends.
      Socket socket = connection.get();
      socket.setSoTimeout(20_000);
      try {
        socket.getInputStream().readAllBytes();
      } catch (IOException reset) {
        assertThat(reset).hasMessageContaining("reset");
      }
      socket.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", HALF})
  void download_interrupted_cancelledOnBothEnds(String response) throws Exception {
    CompletableFuture<Socket> connection = respond(response);
    CountDownLatch begun = new CountDownLatch(1);
    TransferOptions options =
        TransferOptions.DEFAULT.withProgress((done, total) -> begun.countDown());
    FutureTask<FerryException> outcome = new FutureTask<>(() -> failure(options));
    Thread caller = new Thread(outcome);
    caller.start();
    Socket socket = connection.get();
    if (!response.isEmpty()) {
      begun.await();
    }

    caller.interrupt();

    assertThat(outcome.get().kind()).isEqualTo(ErrorKind.CANCELLED);
    socket.setSoTimeout(20_000);
    try {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    } catch (IOException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
    socket.close();
    assertThat(TestFiles.names(local)).isEmpty();
  }

  @Test
  void close_runningTransfer_cancelled() throws Exception {
    CompletableFuture<Socket> connection = respond(HALF);
    CountDownLatch begun = new CountDownLatch(1);
    TransferOptions options =
        TransferOptions.DEFAULT.withProgress((done, total) -> begun.countDown());
    FutureTask<FerryException> outcome = new FutureTask<>(() -> failure(options));
    new Thread(outcome).start();
    begun.await();

    carrier.close();

    assertThat(outcome.get().kind()).isEqualTo(ErrorKind.CANCELLED);
    connection.get().close();
  }

  static Stream<Digest> otherDigests() throws FerryException {
    return Stream.of(Sha256.of(new byte[Sha256.LENGTH]), new Crc32c(1));
  }

  @ParameterizedTest
  @MethodSource("otherDigests")
  void download_otherDigest_mismatchAndNothingLeft(Digest other) throws Exception {
    String digest = HttpRoutes.digestField(other);
    CompletableFuture<Socket> connection =
        respond(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nUnencoded-Digest: "
                + digest
                + "\r\n\r\nhello");

    TransferOptions options = TransferOptions.DEFAULT.withDigest(other.algorithm());
    assertThat(failure(options).kind()).isEqualTo(ErrorKind.DIGEST_MISMATCH);

    connection.get().close();
    assertThat(TestFiles.names(local)).isEmpty();
  }

  private FerryException uploadFailure(String fields, TransferOptions options) throws Exception {
    Path source = Files.writeString(local.resolve("s"), "");
    CompletableFuture<Socket> connection =
        respond("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n" + fields + "\r\n");
    FerryException failure =
        catchThrowableOfType(
            FerryException.class, () -> carrier.upload(source, StorePath.parse("f"), options));
    connection.get().close();
    return failure;
  }

  @ParameterizedTest
  @MethodSource("otherDigests")
  void upload_otherDigest_mismatch(Digest other) throws Exception {
    String field = "Unencoded-Digest: " + HttpRoutes.digestField(other) + "\r\n";
    TransferOptions options = TransferOptions.DEFAULT.withDigest(other.algorithm());

    assertThat(uploadFailure(field, options).kind()).isEqualTo(ErrorKind.DIGEST_MISMATCH);
  }

  @ParameterizedTest
  @EnumSource
  void upload_toAServerThatComparesNoDigest_saysSo(Digest.Algorithm algorithm) throws Exception {
    FerryException failure = uploadFailure("", TransferOptions.DEFAULT.withDigest(algorithm));

    assertThat(failure.kind()).isEqualTo(ErrorKind.INVALID_REQUEST);
    assertThat(failure)
        .hasMessage(
            "f: is stored, and unverified: the server gives no %s; --checksum none asks for none",
            algorithm.label());
  }

  @Test
  void upload_toAServerThatComparesNoDigest_unverifiedArrives() throws Exception {
    assertThat(uploadFailure("", TransferOptions.DEFAULT.withVerify(false))).isNull();
  }

  @Test
  void download_foreignError_kindFromTheStatus() throws Exception {
    CompletableFuture<Socket> connection =
        respond("HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\n<html>");

    FerryException e = failure(TransferOptions.DEFAULT);

    assertThat(e.kind()).isEqualTo(ErrorKind.PERMISSION_DENIED);
    assertThat(e).hasMessage("f: permission denied (HTTP 403)");
    connection.get().close();
  }

  @Test
  void transfers_oneAfterAnother_shareOneConnection() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    Thread accepting = new Thread(() -> serveConnections(connections));
    accepting.start();

    for (int i = 0; i < 3; i++) {
      Path target = local.resolve("t" + i);
      carrier.download(StorePath.parse("f"), target, TransferOptions.DEFAULT.withVerify(false));
      assertThat(target).hasContent("hello");
    }
    assertThat(connections).hasValue(1);
    listener.close();
    accepting.join();
  }

  private void serveConnections(AtomicInteger connections) {
    try {
      while (true) {
        Socket socket = listener.accept();
        connections.incrementAndGet();
        new Thread(() -> serveHello(socket)).start();
      }
    } catch (IOException e) {
      // The listener was closed.
    }
  }

  /** Responds to the requests of a connection. */
  private static void serveHello(Socket connection) {
    try (Socket socket = connection) {
      while (hasHead(socket.getInputStream())) {
        socket
            .getOutputStream()
            .write(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
                    .getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      // The client has ended the connection.
    }
  }

  @Test
  void download_serverGoneBeforeResponse_unavailable() throws Exception {
    CompletableFuture<Socket> connection = respond("");
    FutureTask<FerryException> outcome = new FutureTask<>(() -> failure(TransferOptions.DEFAULT));
    new Thread(outcome).start();
    listenerGone(connection);
    assertThat(outcome.get().kind()).isEqualTo(ErrorKind.UNAVAILABLE);
  }

  private void listenerGone(CompletableFuture<Socket> connection) throws Exception {
    Socket socket = connection.get();
    listener.close();
    socket.close();
  }
}
