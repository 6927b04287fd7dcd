package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.core.FerryException;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.report.RunJson;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.grpc.GrpcCallServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gRPC server that is already there. */
final class BenchGrpcTest {
  private final GrpcCallServer server;
  private final String address;

  @TempDir Path folder;

  BenchGrpcTest() throws FerryException {
    server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
    address = "127.0.0.1:" + server.port();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Outcome bench(String... options) {
    List<String> arguments = new ArrayList<>(List.of("bench"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("--work-dir", folder.toString(), "--out", folder + "/run"));
    return Outcome.of(new Main(), arguments.toArray(String[]::new));
  }

  @Test
  void bench_grpc_comparesTheChannelsWithItsServer() throws Exception {
    String call = address + "/ferry.v1.Calls/Get";

    Outcome bench = bench("--grpc", call, "--message", "{\"count\":3}", "--profile=smoke");

    assertThat(bench.exitCode()).as(bench.err()).isZero();
    RunDocument run = RunJson.read(folder.resolve("run/run.json"));
    assertThat(run.rows())
        .extracting(row -> row.method() + " " + row.parameters().get("Call"))
        .containsExactlyInAnyOrder("GrpcDefault " + call, "GrpcTuned " + call);
    assertThat(run.rows()).allMatch(row -> row.measured());
    assertThat(run.arguments()).contains("--message", "…").doesNotContain("{\"count\":3}");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(folder.resolve("run"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | --grpc 127.0.0.1/x | give one like example.org:50051/package.Service/Method",
        "2 | --message {} | --message is about --grpc; give it as well",
        "2 | --grpc ADDRESS/a.B/C --url http://127.0.0.1/x | --url and --grpc: give one of them",
        "2 | --grpc ADDRESS/a.B/C --message … | --resume does not know it; start a new run",
        "2 | --grpc ADDRESS/a.B/C --suite tasks | leave out --suite",
        "2 | --suite grpc | suite grpc needs --grpc, with an address",
        "2 | --grpc ADDRESS/ferry.v1.Calls/Get --message {\"cuont\":3} | no JSON of ferry.v1.CallRequest",
        "1 | --grpc ADDRESS/ferry.v1.Calls/Put | the service has no method Put, but Get",
        "1 | --grpc ADDRESS/ferry.v1.Rows/Stream | the method streams",
        "1 | --grpc ADDRESS/ferry.v1.Pigeons/Get | the server says: ",
        "1 | --grpc 127.0.0.1:1/ferry.v1.Calls/Get | UNAVAILABLE",
        "1 | --grpc no-such-host.invalid:1/a.B/C | the host no-such-host.invalid is not known",
      })
  void bench_grpcThatCannotBeUsed_isRefusedInOneLine(int exit, String options, String message) {
    Outcome bench = bench(options.replace("ADDRESS", address).split(" "));

    assertThat(bench.exitCode()).as(bench.err()).isEqualTo(exit);
    assertThat(bench.err()).contains(message).hasLineCount(1);
    assertThat(folder).isEmptyDirectory();
  }
}
