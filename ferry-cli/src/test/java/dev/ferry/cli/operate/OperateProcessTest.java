package dev.ferry.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.cli.PseudoTerminal;
import dev.ferry.cli.ServeProcess;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.internal.RawHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How {@code ferry serve} ends and what it logs, in a process of its own. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class OperateProcessTest {
  private static final long LARGE = (long) Round.times(24, 64) << 20;
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @TempDir Path root;
  @TempDir Path local;

  @BeforeEach
  void makeFile() throws IOException {
    TestFiles.sparse(root.resolve("large"), LARGE);
  }

  /** A server that runs. */
  private final class Server implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final int grpc;
    private final int http;
    private final int admin;

    Server(String... options) throws Exception {
      this(Redirect.to(err().toFile()), options);
    }

    Server(Redirect err, String... options) throws Exception {
      List<String> command = new ArrayList<>();
      // A build in the background of a shell ignores SIGINT.
      command.addAll(List.of("env", "--default-signal=INT,HUP,TERM"));
      command.addAll(
          ServeProcess.command(
              List.of(PseudoTerminal.SHORT_LIFE),
              root,
              List.of("--grpc-port=0", "--http-port=0", "--admin=127.0.0.1:0")));
      command.addAll(List.of(options));
      process = new ProcessBuilder(command).redirectError(err).start();
      out = process.inputReader();
      grpc = ServeProcess.port(out.readLine());
      http = ServeProcess.port(out.readLine());
      admin = ServeProcess.port(out.readLine());
    }

    /** Begins a download that waits for its reader. */
    RawHttp download() throws IOException {
      RawHttp raw = new RawHttp(http);
      raw.send(
          "GET /files/large HTTP/1.1\r\nHost: localhost\r\ntraceparent: " + TRACE + "\r\n\r\n");
      assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
      return raw;
    }

    void signal(String name) throws Exception {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
    }

    void assertExits(int code) throws Exception {
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(code);
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      out.close();
    }
  }

  private Path err() {
    return local.resolve("err");
  }

  @Test
  void sigterm_duringADownload_refusesOthersAndWaitsForIt() throws Exception {
    Path audit = local.resolve("audit.log");
    try (Server server = new Server("--audit-log=" + audit);
        RawHttp download = server.download();
        Carrier grpc = GrpcFiles.connect("127.0.0.1", server.grpc)) {
      assertThat(RawHttp.exchange(server.admin, "GET /ready HTTP/1.1\r\n")).contains(" 200 ");
      server.signal("TERM");
      assertThat(server.out.readLine()).startsWith("draining: waiting up to 5 min ");

      assertThat(RawHttp.exchange(server.admin, "GET /ready HTTP/1.1\r\n")).contains(" 503 ");
      assertThat(RawHttp.exchange(server.http, "GET /files/ HTTP/1.1\r\n"))
          .startsWith("HTTP/1.1 503 ")
          .containsIgnoringCase("\r\nretry-after: 5\r\n");
      FerryException refused =
          catchThrowableOfType(FerryException.class, () -> grpc.list(StorePath.ROOT));
      assertThat(refused.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
      assertThat(download.readAll()).hasSize((int) LARGE);

      assertThat(server.out.readLine()).isEqualTo("stopped");
      server.assertExits(0);
      assertThat(err()).isEmptyFile();
    }
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(audit)) {
      lines.add(new JsonMapper().readTree(line));
    }
    assertThat(lines)
        .extracting(line -> line.get("carrier").asText() + " " + line.get("result").asText())
        .containsExactlyInAnyOrder("http unavailable", "grpc unavailable", "http ok");
    assertThat(lines)
        .filteredOn(line -> line.get("result").asText().equals("ok"))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.get("bytes").asLong()).isEqualTo(LARGE);
              assertThat(line.get("traceparent").asText()).isEqualTo(TRACE);
            });
  }

  static Stream<Arguments> secondSignals() {
    return Stream.of(Arguments.of("TERM", 0), Arguments.of("INT", 130)).limit(Round.times(1, 2));
  }

  @ParameterizedTest
  @MethodSource("secondSignals")
  void secondSignal_endsTheDownloadAtOnce(String signal, int code) throws Exception {
    try (Server server = new Server();
        RawHttp download = server.download()) {
      server.signal("TERM");
      assertThat(server.out.readLine()).startsWith("draining: ");
      server.signal(signal);
      assertThat(server.out.readLine()).isEqualTo("stopped");
      server.assertExits(code);
      assertThat(download.readAll()).hasSizeLessThan((int) LARGE);
      assertThat(err()).isEmptyFile();
    }
  }

  @Test
  void sigterm_endsWhatTakesLongerThanItMay() throws Exception {
    try (Server server = new Server("--drain=200ms");
        RawHttp download = server.download()) {
      server.signal("TERM");
      assertThat(server.out.readLine()).startsWith("draining: waiting up to 200 ms ");
      assertThat(server.out.readLine()).isEqualTo("ended the requests that were still running");
      assertThat(server.out.readLine()).isEqualTo("stopped");
      server.assertExits(0);
      assertThat(download.readAll()).hasSizeLessThan((int) LARGE);
    }
  }

  @Test
  void log_asJson_hasFieldsForEachRequest() throws Exception {
    Instant begin = Instant.now().minusMillis(1);
    try (Server server = new Server("--log-format=json", "--log-level=info")) {
      RawHttp.exchange(
          server.http, "GET /files/none%0a%1b[2J%22 HTTP/1.1\r\ntraceparent: " + TRACE + "\r\n");
      server.signal("HUP");
      assertThat(message(server.out.readLine(), "INFO")).isEqualTo("stopped");
      server.assertExits(129);
    }
    assertThat(Files.readAllLines(err()))
        .singleElement()
        .satisfies(
            line -> {
              JsonNode event = new JsonMapper().readTree(line);
              assertThat(event.fieldNames())
                  .toIterable()
                  .containsExactly(
                      "time",
                      "level",
                      "logger",
                      "carrier",
                      "operation",
                      "path",
                      "bytes",
                      "seconds",
                      "result",
                      "peer",
                      "traceparent");
              assertThat(Instant.parse(event.get("time").asText())).isAfter(begin);
              assertThat(event.get("level").asText()).isEqualTo("INFO");
              assertThat(event.get("path").asText()).isEqualTo("none\n\033[2J\"");
              assertThat(event.get("bytes").isNumber()).isTrue();
              assertThat(event.get("seconds").isNumber()).isTrue();
              assertThat(event.get("result").asText()).isEqualTo("not-found");
              assertThat(event.get("traceparent").asText()).isEqualTo(TRACE);
            });
  }

  /** The message of a line as JSON, which has the level. */
  private static String message(String line, String level) throws IOException {
    JsonNode event = new JsonMapper().readTree(line);
    assertThat(event.fieldNames())
        .toIterable()
        .containsExactly("time", "level", "logger", "message");
    assertThat(event.get("level").asText()).isEqualTo(level);
    return event.get("message").asText();
  }

  @Test
  void output_asJson_isJsonFromTheFirstLineToTheLast() throws Exception {
    Path callers = local.resolve("callers");
    String unused = CallersFile.addToken(callers, "alice", List.of("all:/"));
    List<String> options =
        List.of(
            "--log-format=json",
            "--host=0.0.0.0",
            "--insecure-no-tls",
            "--users=" + callers,
            "--grpc-port=0",
            "--http-port=0");
    Process process =
        new ProcessBuilder(ServeProcess.command(List.of(PseudoTerminal.SHORT_LIFE), root, options))
            .redirectError(err().toFile())
            .start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = process.inputReader()) {
      lines.add(reader.readLine());
      lines.add(reader.readLine());
      process.toHandle().destroy();
      reader.lines().forEach(lines::add);
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
    assertThat(lines).hasSize(3);
    assertThat(message(lines.get(0), "INFO")).startsWith("grpc  0.0.0.0:");
    assertThat(message(lines.get(1), "INFO")).startsWith("http  http://");
    assertThat(message(lines.get(2), "INFO")).isEqualTo("stopped");
    assertThat(Files.readAllLines(err()))
        .singleElement()
        .satisfies(line -> assertThat(message(line, "WARN")).startsWith("--insecure-no-tls: "));
  }

  @Test
  void output_asJsonOfAServerThatCannotStart_saysWhy() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> options = List.of("--log-format=json", "--grpc-port=" + taken.getLocalPort());
      Process process =
          new ProcessBuilder(
                  ServeProcess.command(List.of(PseudoTerminal.SHORT_LIFE), root, options))
              .redirectError(err().toFile())
              .start();
      assertThat(process.inputReader().readLine()).isNull();
      assertThat(process.waitFor()).isEqualTo(1);
    }
    assertThat(Files.readAllLines(err()))
        .singleElement()
        .satisfies(
            line ->
                assertThat(message(line, "ERROR"))
                    .startsWith("ferry serve: cannot listen on 127.0.0.1:"));
  }

  @Test
  void log_thatNobodyReads_keepsTheServerNeitherFromServingNorFromItsEnd() throws Exception {
    int together = 100;
    try (Server server = new Server(Redirect.PIPE, "--log-level=info");
        RawHttp raw = new RawHttp(server.http)) {
      // Their lines are more than a pipe holds, which is 64 KiB.
      for (int i = 0; i < Round.times(8, 12); i++) {
        raw.send("HEAD /files/none HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(together));
        for (int response = 0; response < together; response++) {
          assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 404 ");
        }
      }
      assertThat(RawHttp.exchange(server.admin, "GET /metrics HTTP/1.1\r\n"))
          .contains("ferry_log_lost_total 0.0");
      server.signal("TERM");
      assertThat(server.out.readLine()).isEqualTo("stopped");
      server.assertExits(0);
    }
  }

  @Test
  void log_asText_beginsWithTheTime() throws Exception {
    Instant begin = Instant.now().minusMillis(1);
    try (Server server = new Server("--log-level=info")) {
      RawHttp.exchange(server.http, "GET /files/none%0aERROR HTTP/1.1\r\n");
      server.signal("INT");
      assertThat(server.out.readLine()).isEqualTo("stopped");
      server.assertExits(130);
    }
    assertThat(Files.readAllLines(err()))
        .singleElement()
        .satisfies(
            line -> {
              String[] parts = line.split(" ", 2);
              assertThat(Instant.parse(parts[0])).isAfter(begin);
              assertThat(parts[1])
                  .startsWith("INFO requests: http download 'none")
                  .contains("': not-found, 0 bytes in ");
            });
  }
}
