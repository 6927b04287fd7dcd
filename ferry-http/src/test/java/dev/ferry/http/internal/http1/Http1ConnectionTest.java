package dev.ferry.http.internal.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.internal.JdkTls;
import dev.ferry.wire.internal.TestCertificates;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the client keeps, repeats and gives up, with servers that are scripted. */
@Timeout(300)
class Http1ConnectionTest {
  private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  private static final String REFUSAL =
      "HTTP/1.1 507 Insufficient Storage\r\nContent-Length: 0\r\n\r\n";

  private static final TransferOptions UNVERIFIED = TransferOptions.DEFAULT.withVerify(false);

  private final List<String> requests = new CopyOnWriteArrayList<>();
  @TempDir Path local;
  private ServerSocket listener;
  private Carrier carrier;

  /** What a server does with a connection, beside to note its requests. */
  @FunctionalInterface
  private interface Script {
    void run(Socket socket) throws Exception;
  }

  @BeforeEach
  void start() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    carrier = Http1Carrier.connect("127.0.0.1", listener.getLocalPort(), "", null, null);
  }

  @AfterEach
  void stop() throws IOException {
    carrier.close();
    listener.close();
  }

  /** Serves one connection after another, each by its script. */
  private CompletableFuture<Void> serve(Script... scripts) {
    return CompletableFuture.runAsync(
        () -> {
          for (Script script : scripts) {
            try (Socket socket = listener.accept()) {
              script.run(socket);
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
        });
  }

  private void readHead(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as("in a head: " + head).isNotNegative();
      head.append((char) next);
    }
    requests.add(head.toString());
  }

  private static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void answer(Socket socket, String response) throws IOException {
    readHead(socket);
    say(socket, response);
  }

  /**
   * A socket whose bytes are kept back once it says so, and are then sent at once when it is
   * closed.
   */
  private static final class HeldSocket extends Socket {
    private final Socket socket;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private volatile boolean holds;

    HeldSocket(Socket socket) {
      this.socket = socket;
    }

    void hold() {
      holds = true;
    }

    @Override
    public boolean isConnected() {
      return true;
    }

    @Override
    public InetAddress getInetAddress() {
      return socket.getInetAddress();
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return socket.getInputStream();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      OutputStream out = socket.getOutputStream();
      return new OutputStream() {
        @Override
        public void write(int b) throws IOException {
          write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          (holds ? held : out).write(bytes, offset, length);
        }
      };
    }

    @Override
    public void close() throws IOException {
      socket.getOutputStream().write(held.toByteArray());
      socket.close();
    }
  }

  private Path file(int size) throws IOException {
    return Files.write(local.resolve("s"), TestFiles.incompressible(size));
  }

  private static StorePath path() throws FerryException {
    return StorePath.parse("f");
  }

  @Test
  void request_keptConnectionWasClosed_takesAnother() throws Exception {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    CompletableFuture<Void> served =
        serve(
            socket -> {
              answer(socket, EMPTY);
              socket.close();
              closed.complete(null);
            },
            socket -> {
              answer(socket, EMPTY);
              answer(socket, EMPTY);
            });
    carrier.stat(path(), null, CallLimits.DEFAULT);
    closed.get();
    // A change is not repeated, so the end has to be seen before it is sent.
    carrier.change(new Change.Delete(path(), null), CallLimits.DEFAULT);
    carrier.stat(path(), null, CallLimits.DEFAULT);
    served.get();
    assertThat(requests).hasSize(3);
  }

  @Test
  void request_keptConnectionEndsMeanwhile_isRepeatedIfItChangesNothing() throws Exception {
    Script endsInSecond =
        socket -> {
          answer(socket, EMPTY);
          readHead(socket);
        };
    CompletableFuture<Void> served =
        serve(
            endsInSecond,
            socket -> {
              answer(socket, EMPTY);
              readHead(socket);
            });
    carrier.stat(path(), null, CallLimits.DEFAULT);
    carrier.stat(path(), null, CallLimits.DEFAULT);
    FerryException failure =
        catchThrowableOfType(
            FerryException.class,
            () -> carrier.change(new Change.Delete(path(), null), CallLimits.DEFAULT));
    assertThat(failure.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("lost");
    served.get();
    assertThat(requests).hasSize(4);
    assertThat(requests.get(3)).startsWith("DELETE ");
  }

  @Test
  void request_keptConnectionEndsInAResponse_isNotRepeated() throws Exception {
    CompletableFuture<Void> served =
        serve(
            socket -> {
              answer(socket, EMPTY);
              answer(socket, "HTTP/1.1 200 O");
            });
    carrier.stat(path(), null, CallLimits.DEFAULT);
    assertThatThrownBy(() -> carrier.stat(path(), null, CallLimits.DEFAULT))
        .isInstanceOf(FerryException.class)
        .hasMessageContaining("lost");
    served.get();
  }

  @Test
  void upload_createOnly_asksBeforeTheBody() throws Exception {
    CompletableFuture<Void> served =
        serve(
            socket -> {
              readHead(socket);
              say(socket, "HTTP/1.1 412 Precondition Failed\r\nContent-Length: 0\r\n\r\n");
              readToTheEnd(socket);
            },
            socket -> {
              readHead(socket);
              say(socket, "HTTP/1.1 100 Continue\r\n\r\n");
              assertThat(socket.getInputStream().readNBytes(1_000_000)).hasSize(1_000_000);
              say(socket, EMPTY);
            });
    Path source = file(1_000_000);
    TransferOptions options = UNVERIFIED.withCreateOnly(true);

    assertFails(ErrorKind.ALREADY_EXISTS, () -> carrier.upload(source, path(), options));
    assertThat(carrier.upload(source, path(), options).wireBytes()).isEqualTo(1_000_000);

    served.get();
    assertThat(requests).allMatch(head -> head.contains("\r\nExpect: 100-continue\r\n"));
  }

  @Test
  void upload_ofAFileThatTheServerHasJustNotFound_doesNotAskAgain() throws Exception {
    CompletableFuture<Void> served =
        serve(
            socket -> {
              answer(socket, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
              takeFile(socket);
              readHead(socket);
              say(socket, "HTTP/1.1 412 Precondition Failed\r\nContent-Length: 0\r\n\r\n");
            });
    assertFails(ErrorKind.NOT_FOUND, () -> carrier.stat(path(), null, CallLimits.DEFAULT));
    TransferOptions options = UNVERIFIED.withCreateOnly(true);
    carrier.upload(file(100_000), path(), options);
    assertFails(ErrorKind.ALREADY_EXISTS, () -> carrier.upload(file(100_000), path(), options));
    served.get();
    assertThat(requests.get(1)).contains("If-None-Match: *").doesNotContain("Expect:");
    assertThat(requests.get(2)).contains("Expect:");
  }

  @Test
  void upload_serverIgnoresExpect_isSentAfterAWhile() throws Exception {
    CompletableFuture<Void> served =
        serve(
            socket -> {
              takeFile(socket);
              takeFile(socket);
            });
    carrier.upload(file(100_000), path(), UNVERIFIED.withCreateOnly(true));
    carrier.upload(file(100_000), path(), UNVERIFIED.withCreateOnly(true));
    served.get();
    assertThat(requests.get(0)).contains("Expect:");
    // Each file would wait again.
    assertThat(requests.get(1)).doesNotContain("Expect:");
  }

  /** A client that has waited for a second sends the body all the same. */
  private static void readToTheEnd(Socket socket) throws IOException {
    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
  }

  /** Takes an upload of 100,000 bytes. */
  private void takeFile(Socket socket) throws IOException {
    readHead(socket);
    assertThat(socket.getInputStream().readNBytes(100_000)).hasSize(100_000);
    say(socket, EMPTY);
  }

  @Test
  void upload_serverRefusesExpect_isSentWithout() throws Exception {
    CompletableFuture<Void> served =
        serve(
            socket -> {
              answer(socket, "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n");
              readToTheEnd(socket);
            },
            socket -> {
              takeFile(socket);
              takeFile(socket);
            });
    carrier.upload(file(100_000), path(), UNVERIFIED.withCreateOnly(true));
    carrier.upload(file(100_000), path(), UNVERIFIED.withCreateOnly(true));
    served.get();
    assertThat(requests.get(0)).contains("Expect:");
    assertThat(requests.subList(1, 3)).noneMatch(head -> head.contains("Expect:"));
  }

  private static void assertFails(ErrorKind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(FerryException.class)
        .extracting(e -> ((FerryException) e).kind())
        .isEqualTo(kind);
  }

  @Test
  void upload_refusedInTheMiddle_reportsTheRefusal() throws Exception {
    for (boolean gzip : new boolean[] {false, true}) {
      CompletableFuture<Void> served =
          serve(
              socket -> {
                answer(socket, "HTTP/1.1 102 Processing\r\n\r\n" + REFUSAL);
                socket.shutdownOutput();
                socket.getInputStream().skip(1_000_000);
              });
      Path source = Files.write(local.resolve("s"), TestFiles.random(30_000_000));

      assertFails(
          ErrorKind.OUT_OF_SPACE, () -> carrier.upload(source, path(), UNVERIFIED.withGzip(gzip)));
      served.get();
    }
  }

  @Test
  void upload_takenBeforeItsEnd_fails() throws Exception {
    CompletableFuture<Void> served =
        serve(
            socket -> {
              answer(socket, EMPTY);
              while (socket.getInputStream().read(new byte[8192]) >= 0) {}
            });
    assertFails(ErrorKind.UNAVAILABLE, () -> carrier.upload(file(30_000_000), path(), UNVERIFIED));
    served.get();
  }

  @Test
  void upload_digestMayFollow_isSentBehindTheFile() throws Exception {
    Path source = Files.writeString(local.resolve("s"), "hello");
    String digest = HttpRoutes.digestField(Digest.Algorithm.CRC32C.ofFile(source));
    String taken =
        "HTTP/1.1 204 No Content\r\n" + HttpRoutes.UNENCODED_DIGEST + ": " + digest + "\r\n\r\n";
    CompletableFuture<Void> served =
        serve(
            socket -> {
              readHead(socket);
              byte[] body = socket.getInputStream().readNBytes(5);
              assertThat(body).asString(StandardCharsets.US_ASCII).isEqualTo("hello");
              say(socket, taken);
              answer(socket, "HTTP/1.1 200 OK\r\nFerry-Trailers: ?1\r\nContent-Length: 5\r\n\r\n");
              readHead(socket);
              // A chunk, the last chunk with the digest, and nothing more.
              readHead(socket);
              say(socket, taken);
            });
    carrier.upload(source, path(), TransferOptions.DEFAULT);
    FileFacts unused = carrier.stat(path(), null, CallLimits.DEFAULT);
    Transfer transfer = carrier.upload(source, path(), TransferOptions.DEFAULT);
    served.get();

    assertThat(transfer.facts().digest(Digest.Algorithm.CRC32C)).hasToString(digestOf(source));
    assertThat(requests.get(0)).contains(HttpRoutes.UNENCODED_DIGEST + ": " + digest);
    assertThat(requests.get(1)).startsWith("HEAD ").contains("TE: trailers\r\n");
    assertThat(requests.get(2))
        .contains("Trailer: Unencoded-Digest\r\n", "Ferry-Unencoded-Length: 5\r\n")
        .doesNotContain(digest, "Content-Length");
    assertThat(requests.get(3))
        .isEqualTo("00000005\r\nhello\r\n0\r\nUnencoded-Digest: " + digest + "\r\n\r\n");
  }

  private static String digestOf(Path file) throws IOException {
    return Digest.Algorithm.CRC32C.ofFile(file).toString();
  }

  @Test
  void upload_gzip_isSentInSoundChunks() throws Exception {
    Path source = Files.write(local.resolve("s"), TestFiles.compressible(3_000_000));
    CompletableFuture<byte[]> body = new CompletableFuture<>();
    CompletableFuture<Void> served =
        serve(
            socket -> {
              readHead(socket);
              InputStream in = socket.getInputStream();
              var bytes = new ByteArrayOutputStream();
              for (int size; (size = Integer.parseInt(line(in), 16)) > 0; ) {
                bytes.write(in.readNBytes(size));
                assertThat(line(in)).isEmpty();
              }
              assertThat(line(in)).isEmpty();
              body.complete(bytes.toByteArray());
              say(socket, EMPTY);
            });
    long sent = carrier.upload(source, path(), UNVERIFIED.withGzip(true)).wireBytes();
    served.get();
    assertThat(body.get()).hasSize((int) sent);
    try (var plain = new GZIPInputStream(new ByteArrayInputStream(body.get()))) {
      assertThat(plain.readAllBytes()).isEqualTo(Files.readAllBytes(source));
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c; (c = in.read()) != '\n'; ) {
      assertThat(c).isNotNegative();
      line.append((char) c);
    }
    assertThat(line).endsWith("\r");
    return line.substring(0, line.length() - 1);
  }

  /** Answers one request over TLS and ends the session; with all of that in one segment if held. */
  private Script overTls(SSLContext context, String protocol, String response, boolean held) {
    return socket -> {
      HeldSocket wire = new HeldSocket(socket);
      try (SSLSocket tls =
          (SSLSocket)
              context.getSocketFactory().createSocket(wire, InputStream.nullInputStream(), true)) {
        tls.setEnabledProtocols(new String[] {protocol});
        tls.startHandshake();
        readHead(tls);
        if (held) {
          wire.hold();
        }
        say(tls, response);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void download_serverEndsTheTlsSession_isWhole(String protocol) throws Exception {
    SSLContext context = JdkTls.client(TestCertificates.client(TestCertificates.loopback()));
    String whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole";
    String open = "HTTP/1.1 200 OK\r\n\r\nwhole";
    try (Carrier secure =
        Http1Carrier.connect(
            "127.0.0.1", listener.getLocalPort(), "", TestCertificates.client(), null)) {
      for (boolean held : new boolean[] {false, true}) {
        CompletableFuture<Void> served =
            serve(overTls(context, protocol, whole, held), overTls(context, protocol, open, held));
        for (int i = 0; i < 2; i++) {
          Path target = local.resolve(held + " " + i);
          secure.download(path(), target, UNVERIFIED);
          assertThat(target).hasContent("whole");
        }
        served.get();
      }
    }
  }

  /** The server waits for a handshake, not for a request. */
  @Test
  void download_serverBeginsAHandshakeBetweenRequests_isWhole() throws Exception {
    SSLContext context = JdkTls.client(TestCertificates.client(TestCertificates.loopback()));
    String whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole";
    CompletableFuture<Void> served =
        serve(
            socket -> {
              try (SSLSocket tls =
                  (SSLSocket)
                      context
                          .getSocketFactory()
                          .createSocket(socket, InputStream.nullInputStream(), true)) {
                tls.setEnabledProtocols(new String[] {"TLSv1.2"});
                readHead(tls);
                say(tls, whole);
                tls.startHandshake();
                readHead(tls);
                say(tls, whole);
              } catch (IOException e) {
                // The client has closed the connection, and takes another one.
                return;
              }
            },
            overTls(context, "TLSv1.2", whole, false));
    try (Carrier secure =
        Http1Carrier.connect(
            "127.0.0.1", listener.getLocalPort(), "", TestCertificates.client(), null)) {
      secure.download(path(), local.resolve("first"), UNVERIFIED);
      // Not needed, but then the server has begun.
      Thread.sleep(200);
      secure.download(path(), local.resolve("second"), UNVERIFIED);
      assertThat(local.resolve("second")).hasContent("whole");
    }
    served.cancel(true);
  }

  @Test
  void download_gzipInTwoMembers_hasBoth() throws Exception {
    byte[] half = TestFiles.incompressible(1000);
    var member = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(member)) {
      gzip.write(half);
    }
    String chunk =
        Integer.toHexString(member.size())
            + "\r\n"
            + member.toString(StandardCharsets.ISO_8859_1)
            + "\r\n";
    CompletableFuture<Void> served =
        serve(
            socket ->
                answer(
                    socket,
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + chunk
                        + chunk
                        + "0\r\n\r\n"));
    Path target = local.resolve("t");
    carrier.download(path(), target, UNVERIFIED.withGzip(true));
    served.get();
    assertThat(target).hasSize(2000);
  }

  @Test
  void change_withALineBreakInAField_isNotSent() throws Exception {
    assertFails(
        ErrorKind.INVALID_REQUEST,
        () -> carrier.change(new Change.Delete(path(), "1\"\r\nX: y"), CallLimits.DEFAULT));
  }

  @Test
  void download_serverThatIsNoHttp_saysSo() throws Exception {
    CompletableFuture<Void> served = serve(socket -> answer(socket, "SSH-2.0-OpenSSH_9.6\r\n"));
    assertThatThrownBy(() -> carrier.download(path(), local.resolve("t"), UNVERIFIED))
        .isInstanceOf(FerryException.class)
        .hasMessageContaining("does not speak HTTP");
    served.get();
  }

  @Test
  void download_responseThatIsUnsound_saysWhy() throws Exception {
    String head = "HTTP/1.1 200 OK\r\n";
    for (var unsound :
        Map.of(
                head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "two values of Content-Length: 1, 2",
                head + "Transfer-Encoding: gzip\r\n\r\n",
                "it is unclear where the body ends: Transfer-Encoding gzip")
            .entrySet()) {
      CompletableFuture<Void> served = serve(socket -> answer(socket, unsound.getKey()));
      assertThatThrownBy(() -> carrier.download(path(), local.resolve("t"), UNVERIFIED))
          .isInstanceOf(FerryException.class)
          .hasMessageEndingWith("breaks HTTP: " + unsound.getValue());
      served.get();
    }
  }
}
