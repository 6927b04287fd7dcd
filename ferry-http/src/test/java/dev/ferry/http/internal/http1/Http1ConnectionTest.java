package dev.ferry.http.internal.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.http.internal.TestFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When the client keeps, repeats and gives up, with servers that are scripted. */
@Timeout(60)
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
    carrier = Http1Carrier.connect("127.0.0.1", listener.getLocalPort(), null, null);
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
    carrier.stat(path(), false);
    closed.get();
    // A change is not repeated, so the end has to be seen before it is sent.
    carrier.delete(path(), null);
    carrier.stat(path(), false);
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
    carrier.stat(path(), false);
    carrier.stat(path(), false);
    FerryException failure =
        catchThrowableOfType(FerryException.class, () -> carrier.delete(path(), null));
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
    carrier.stat(path(), false);
    assertThatThrownBy(() -> carrier.stat(path(), false))
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
              assertThat(socket.getInputStream().read()).isEqualTo(-1);
            },
            socket -> {
              readHead(socket);
              say(socket, "HTTP/1.1 100 Continue\r\n\r\n");
              assertThat(socket.getInputStream().readNBytes(1_000_000)).hasSize(1_000_000);
              say(socket, EMPTY);
            });
    Path source = file(1_000_000);
    TransferOptions options = UNVERIFIED.withCreateOnly(true);

    assertThatThrownBy(() -> carrier.upload(source, path(), options))
        .isInstanceOf(FerryException.class)
        .extracting(e -> ((FerryException) e).kind())
        .isEqualTo(ErrorKind.ALREADY_EXISTS);
    assertThat(carrier.upload(source, path(), options).wireBytes()).isEqualTo(1_000_000);

    served.get();
    assertThat(requests).allMatch(head -> head.contains("\r\nExpect: 100-continue\r\n"));
  }

  @Test
  void upload_serverIgnoresExpect_isSentAfterAWhile() throws Exception {
    CompletableFuture<Void> served =
        serve(
            socket -> {
              readHead(socket);
              assertThat(socket.getInputStream().readNBytes(100_000)).hasSize(100_000);
              say(socket, EMPTY);
              answer(socket, EMPTY);
            });
    carrier.upload(file(100_000), path(), UNVERIFIED.withCreateOnly(true));
    carrier.stat(path(), false);
    served.get();
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

      assertThatThrownBy(() -> carrier.upload(source, path(), UNVERIFIED.withGzip(gzip)))
          .isInstanceOf(FerryException.class)
          .extracting(e -> ((FerryException) e).kind())
          .isEqualTo(ErrorKind.OUT_OF_SPACE);
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
    assertThatThrownBy(() -> carrier.upload(file(30_000_000), path(), UNVERIFIED))
        .isInstanceOf(FerryException.class)
        .extracting(e -> ((FerryException) e).kind())
        .isEqualTo(ErrorKind.UNAVAILABLE);
    served.get();
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

  @Test
  void change_withALineBreakInAField_isNotSent() throws Exception {
    assertThatThrownBy(() -> carrier.delete(path(), "1\"\r\nX: y"))
        .isInstanceOf(FerryException.class)
        .extracting(e -> ((FerryException) e).kind())
        .isEqualTo(ErrorKind.INVALID_REQUEST);
  }

  @Test
  void download_serverThatIsNoHttp_saysSo() throws Exception {
    CompletableFuture<Void> served = serve(socket -> answer(socket, "SSH-2.0-OpenSSH_9.6\r\n"));
    assertThatThrownBy(() -> carrier.download(path(), local.resolve("t"), UNVERIFIED))
        .isInstanceOf(FerryException.class)
        .hasMessageContaining("does not speak HTTP");
    served.get();
  }
}
