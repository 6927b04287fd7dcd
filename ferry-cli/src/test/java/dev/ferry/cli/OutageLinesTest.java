package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The error lines if a server cannot be reached, or is not Ferry. They are the same for every
 * carrier.
 */
@Timeout(300)
final class OutageLinesTest {
  @TempDir Path root;
  @TempDir Path local;
  private final Peers peers = new Peers();

  @BeforeEach
  void makeFile() throws IOException {
    Files.write(local.resolve("up"), new byte[100_000]);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    peers.close();
    try (Stream<Path> files = Files.list(local)) {
      assertThat(files.map(file -> file.getFileName().toString())).isSubsetOf("up", "keys");
    }
  }

  /** Every command that talks to a server. */
  private List<List<String>> commands(String... options) {
    return Stream.of(
            List.of("get", "f", local.resolve("target").toString()),
            List.of("put", local.resolve("up").toString(), "f"),
            List.of("ls"),
            List.of("stat", "f"))
        .map(command -> Stream.concat(command.stream(), Stream.of(options)).toList())
        .toList();
  }

  private void assertEveryCommand(
      CarrierChoice carrier, String server, String line, String... options) {
    for (List<String> command : commands(options)) {
      assertCommand(command, carrier, server, line);
    }
  }

  private static void assertCommand(
      List<String> command, CarrierChoice carrier, String server, String line) {
    String[] args =
        Stream.concat(
                command.stream(), Stream.of("--server", server, "--carrier", carrier.toString()))
            .toArray(String[]::new);
    Outcome outcome = Outcome.of(args);
    assertThat(outcome.complaints().strip())
        .as("%s over %s", command, carrier)
        .isEqualTo("ferry " + command.get(0) + ": " + line);
    assertThat(outcome.exitCode()).isEqualTo(line.contains("--timeout") ? 7 : 6);
    assertThat(outcome.out()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void nobodyListens_everyCommand_saysSo(CarrierChoice carrier) throws Exception {
    String server = Servers.HOST + ":" + Peers.nobody();
    assertEveryCommand(
        carrier,
        server,
        "connection refused at " + server + "; is 'ferry serve' running there?",
        "--retries=0");
  }

  @Test
  void nobodyListens_firstLine_saysWhatMayBeTheMatter() throws Exception {
    String server = Servers.HOST + ":" + Peers.nobody();
    Outcome ls = Outcome.of("ls", "--server=" + server, "--retries=1");
    assertThat(ls.err())
        .startsWith("ferry ls: connection refused at " + server + "; retrying in ")
        .contains("s; is 'ferry serve' running there?\n");
  }

  @ParameterizedTest
  @EnumSource
  void noSuchHost_everyCommand_saysSo(CarrierChoice carrier) {
    assertEveryCommand(
        carrier, "no-such-host.invalid:7070", "no-such-host.invalid: no such host; check --server");
  }

  @ParameterizedTest
  @CsvSource({"a.invalid:7070, grpc", "a.invalid:7071, http", "a.invalid, http"})
  void noCarrier_ofAPort_isThatOfItsUse(String server, String carrier) {
    assertThat(Outcome.of("ls", "-v", "--server=" + server).err())
        .startsWith("ferry ls: " + carrier + " to a.invalid:");
    assertThat(Outcome.of("ls", "-v", "ferry://" + server + "/").err())
        .startsWith("ferry ls: " + carrier + " to a.invalid:");
  }

  @Test
  void grpcPort_ofOtherCarriers_isNamed() throws Exception {
    try (Servers servers = Servers.start(root)) {
      String server = servers.address(CarrierChoice.GRPC);
      String line = server + " speaks gRPC (HTTP/2 only); use --client grpc, or ";
      assertEveryCommand(CarrierChoice.HTTP, server, line + "the HTTP port (7080)");
    }
  }

  @Test
  void httpPort_ofGrpc_isNamed() throws Exception {
    try (Servers servers = Servers.start(root)) {
      String server = servers.address(CarrierChoice.HTTP);
      String line = server + " is Ferry's HTTP port; use --client http, or ";
      assertEveryCommand(CarrierChoice.GRPC, server, line + "the gRPC port (7070)");
    }
  }

  @ParameterizedTest
  @EnumSource
  void serversThatAreNotFerry_everyTransfer_areNamed(CarrierChoice carrier) throws Exception {
    assertTransfers(
        carrier,
        peers.greeting("SSH-2.0-OpenSSH_9.2p1\r\n"),
        "%s is no Ferry server (SSH-2.0-OpenSSH_9.2p1); check --server");
    assertTransfers(
        carrier,
        peers.http("nginx/1.22.1"),
        "%s is another HTTP server (nginx/1.22.1); check --server");
    assertTransfers(carrier, peers.tls(), "%s speaks TLS; use --tls, or check --server");
    assertTransfers(
        carrier, peers.closing(), "%s takes connections and closes them at once; check --server");
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 504})
  void proxyWithoutServer_get_isTriedAgainAndNamed(int status) throws Exception {
    assertTriedAgain(
        peers.http("nginx/1.22.1", status),
        "(HTTP " + status + ")",
        " is a proxy (nginx/1.22.1) that has no server ready; try again, or check the servers"
            + " behind it");
  }

  @Test
  void portThatCloses_getWithRetries_isTriedAgainAndNamed() throws Exception {
    assertTriedAgain(
        peers.closing(), "", " takes connections and closes them at once; check --server");
  }

  private void assertTriedAgain(int port, String failure, String problem) {
    String server = Servers.HOST + ":" + port;
    Outcome get =
        Outcome.of(
            "get",
            "f",
            local.resolve("target").toString(),
            "--server=" + server,
            "--carrier=http",
            "--retries=1");
    assertThat(get.err().lines().toList())
        .hasSize(2)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).contains(failure + "; retrying in ");
              assertThat(lines.get(1)).isEqualTo("ferry get: " + server + problem);
            });
  }

  private void assertTransfers(CarrierChoice carrier, int port, String line) {
    String server = Servers.HOST + ":" + port;
    assertCommand(commands().get(0), carrier, server, line.formatted(server));
    assertCommand(commands().get(1), carrier, server, line.formatted(server));
  }

  @ParameterizedTest
  @EnumSource
  void silentServer_get_saysForHowLong(CarrierChoice carrier) throws Exception {
    String server = Servers.HOST + ":" + peers.silent();
    List<String> get =
        List.of(
            "get", "f", local.resolve("target").toString(), "--stall-timeout=500ms", "--retries=0");
    assertCommand(
        get,
        carrier,
        server,
        "f: no response from "
            + server
            + " for 500 ms; is the server or the network down? (--stall-timeout)");
  }

  @ParameterizedTest
  @EnumSource
  void silentServer_putWithATimeout_saysSo(CarrierChoice carrier) throws Exception {
    String server = Servers.HOST + ":" + peers.silent();
    List<String> put = List.of("put", local.resolve("up").toString(), "f", "--timeout", "500ms");
    assertCommand(
        put,
        carrier,
        server,
        "f: not finished in 500 ms: no response from " + server + "; allow more with --timeout");
  }
}
