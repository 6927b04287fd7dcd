package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limits that options of {@code ferry serve} set for clients. */
@Timeout(300)
final class ServeLimitsTest {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path root;
  @TempDir private Path local;

  /** A test with a server. */
  @FunctionalInterface
  private interface Use {
    void of(String grpc, String http) throws Exception;
  }

  private void serve(Use use, String... options) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("serve", root.toString(), "--grpc-port=0", "--http-port=0"));
    arguments.addAll(List.of(options));
    PipedWriter pipe = new PipedWriter();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (BufferedReader out = new BufferedReader(new PipedReader(pipe))) {
      executor.execute(
          () ->
              Main.newCommandLine()
                  .setOut(new PrintWriter(pipe, true))
                  .execute(arguments.toArray(String[]::new)));
      String grpc = out.readLine().replaceAll("grpc +(\\S+) .*", "$1");
      String http = out.readLine().replaceAll("http +http://([^/]+)/files/ .*", "$1");
      use.of(grpc, http);
    } finally {
      executor.shutdownNow();
      assertThat(executor.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static String get(String server, String host, String origin) throws IOException {
    String[] parts = server.split(":", -1);
    try (Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]))) {
      socket
          .getOutputStream()
          .write(
              ("GET /files/ HTTP/1.1\r\nConnection: close\r\nHost: "
                      + host
                      + "\r\nOrigin: "
                      + origin
                      + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void serve_hostNameAndOrigin_areKnownOnThePortOfHttp() throws Exception {
    serve(
        (grpc, http) -> {
          assertThat(get(http, "files.example", "https://example.org"))
              .startsWith("HTTP/1.1 200 ")
              .containsIgnoringCase("access-control-allow-origin: https://example.org\r\n");
          assertThat(get(http, "evil.example", "https://example.org")).startsWith("HTTP/1.1 421 ");
          assertThat(get(http, "localhost", "https://evil.example")).startsWith("HTTP/1.1 403 ");
        },
        "--host-name=files.example",
        "--allow-origin=https://example.org");
  }

  @Test
  void serve_limits_holdOnAllPorts() throws Exception {
    String small = Files.write(local.resolve("small"), new byte[1000]).toString();
    String large = Files.write(local.resolve("large"), new byte[1001]).toString();
    serve(
        (grpc, http) -> {
          for (List<String> to : List.of(List.of(grpc, "grpc"), List.of(http, "http"))) {
            String carrier = "--carrier=" + to.get(1);
            assertThat(
                    Outcome.of("put", "--force", small, "--server", to.get(0), carrier).exitCode())
                .isZero();
            Outcome refused = Outcome.of("put", large, "--server", to.get(0), carrier);
            assertThat(refused.exitCode()).isEqualTo(9);
            assertThat(refused.err()).contains("large: over the limit of 1000 bytes");
          }
        },
        "--max-file-size=1kB");
    serve(
        (grpc, http) -> {
          Outcome refused = Outcome.of("put", "--force", small, "--server", grpc);
          assertThat(refused.exitCode()).isEqualTo(9);
          assertThat(refused.err()).contains("small: no space left on the disk");
        },
        "--keep-free=1000000T");
  }

  private static Socket connect(String server) throws IOException {
    String[] parts = server.split(":", -1);
    Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]));
    socket.setSoTimeout(20_000);
    return socket;
  }

  @Test
  void serve_maxConnectionsPerAddress_countsAllPorts() throws Exception {
    serve(
        (grpc, http) -> {
          try (Socket first = connect(grpc);
              Socket second = connect(http)) {
            // Once the first of a port is let in, which is when it gets a response.
            first.getOutputStream().write(PREFACE);
            assertThat(first.getInputStream().read()).isNotNegative();
            second.getOutputStream().write(PREFACE);
            assertThat(second.getInputStream().read()).isNotNegative();
            try (Socket third = connect(http)) {
              assertThat(third.getInputStream().read()).isNegative();
            }
          }
        },
        "--max-connections=3",
        "--max-connections-per-address=2");
  }

  @Test
  void serve_stallTimeout_endsUploadsThatStop() throws Exception {
    serve(
        (grpc, http) -> {
          try (Socket socket = connect(http)) {
            socket
                .getOutputStream()
                .write(
                    "PUT /files/f HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx"
                        .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 408 ");
          }
        },
        "--stall-timeout=300ms");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--max-connections=0 | --max-connections: 0 lets nobody in; give 1 or more",
        "--max-connections-per-address=-1 | --max-connections-per-address: -1 lets nobody in",
        "--idle-timeout=10ms | --idle-timeout: less than a second; give 1s or more",
        "--stall-timeout=soon | is not a time; give one such as 500ms",
      })
  void serve_limitThatIsNone_isWrongUse(String option, String said) {
    Outcome outcome = Outcome.of("serve", root.toString(), option);
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains(said);
  }
}
