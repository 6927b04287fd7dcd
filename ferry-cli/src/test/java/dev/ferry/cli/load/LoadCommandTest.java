package dev.ferry.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.ferry.cli.Outcome;
import dev.ferry.cli.PseudoTerminal;
import dev.ferry.cli.Servers;
import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class LoadCommandTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir Path root;
  @TempDir Path results;

  private static Outcome load(Servers servers, String... options) {
    String server = "--server=" + servers.address(CarrierChoice.GRPC);
    return Outcome.of(
        Stream.of(Stream.of("load", server), Stream.of(options))
            .flatMap(words -> words)
            .toArray(String[]::new));
  }

  private static JsonNode valid(String json) throws IOException {
    String schema = Files.readString(Path.of("../docs/json/load.schema.json"));
    JsonSchemaFactory schemas = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    assertThat(schemas.getSchema(schema).validate(json, InputFormat.JSON)).as(json).isEmpty();
    return MAPPER.readTree(json);
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      return entries.toList();
    }
  }

  /** A store that loses the second file of a load. */
  private static final class LossyStore extends ForwardingStore {
    LossyStore(FileStore store) {
      super(store);
    }

    @Override
    public FileSource open(StorePath path) throws FerryException {
      if (path.value().endsWith("/file-1")) {
        throw new FerryException(ErrorKind.NOT_FOUND, path + ": no such file");
      }
      return super.open(path);
    }
  }

  @Test
  void load_withFailures_countsThemByKindAndLeavesNothing() throws Exception {
    try (Servers servers = Servers.start(new LossyStore(LocalFileStore.open(root)))) {
      Outcome outcome =
          load(
              servers,
              "--rate=100/s",
              "--for=2s",
              "--warm-up=200ms",
              "--mix=get:4,put:2,stat:1,list:1,call:2",
              "--files=1K:3,2K:1",
              "--spacing=poisson",
              "--connections=2",
              "--out=" + results,
              "--json");

      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.exitCode()).isZero();
      JsonNode report = valid(outcome.out().strip());
      JsonNode get = report.path("operations").path(0);
      long lost = get.path("errors").path("NOT_FOUND").longValue();
      assertThat(lost).isPositive();
      assertThat(get.path("succeeded").longValue() + lost)
          .isEqualTo(get.path("arrivals").longValue());
      assertThat(report.path("operations").size()).isEqualTo(5);
      JsonNode all = report.path("all");
      assertThat(all.path("succeeded").longValue() + lost)
          .isEqualTo(all.path("arrivals").longValue());
      assertThat(MAPPER.readTree(results.resolve("report.json").toFile()).path("all"))
          .isEqualTo(all);
      assertThat(results).isDirectoryContaining("glob:**/{environment,plan}.json");
      assertThat(Files.readAllLines(results.resolve("timeline.csv")))
          .anyMatch(line -> line.matches("0\\.000,[\\d.]+,get,\\d+,\\d+,.*"));
      assertThat(results.resolve("report.html"))
          .content()
          .contains(
              "Ferry load", "<td class=\"name\">get</td>", "polyline", "get failed: NOT_FOUND")
          .doesNotContain("<script", "src=");
      assertThat(left()).isEmpty();
      assertThat(load(servers, "--rate=1", "--out=" + results).err())
          .contains("has the results of another run; name another folder");
    }
  }

  @Test
  void merge_ofTwoWorkersOfThree_isTheirSumAndNamesTheThird() throws Exception {
    Path plan = results.resolve("plan.json");
    Files.writeString(
        plan,
        "{\"rate\": 150, \"seconds\": 1, \"warmUpSeconds\": 0.2, \"mix\": {\"call\": 1, \"stat\": 1},"
            + " \"workers\": 3}");
    try (Servers servers = Servers.start(root)) {
      List<CompletableFuture<Outcome>> workers = new ArrayList<>();
      for (int worker = 1; worker <= 2; worker++) {
        String number = worker == 1 ? "--worker=1" : "--worker-index=" + (worker - 1);
        workers.add(
            CompletableFuture.supplyAsync(
                () -> load(servers, "--plan=" + plan, number, "--out=" + results)));
      }
      for (CompletableFuture<Outcome> worker : workers) {
        assertThat(worker.get().err()).isEmpty();
      }
    }

    Path page = results.resolve("all.html");
    Outcome json = Outcome.of("load", "merge", "--json", "--html=" + page, results.toString());
    assertThat(page)
        .content()
        .contains("<td class=\"name\">call</td>", "<td>missing</td>", "worker 3 of 3 is missing")
        .doesNotContain("<script", "src=");
    assertThat(Outcome.of("load", "merge", "--html=" + root, results.toString()).err())
        .startsWith("ferry load merge: --html: " + root + ": ")
        .hasLineCount(1);
    JsonNode merged = valid(json.out().strip());
    assertThat(json.exitCode()).isEqualTo(1);
    assertThat(merged.path("missing").toString()).isEqualTo("[3]");
    assertThat(merged.path("all").path("arrivals").longValue()).isEqualTo(100);
    assertThat(merged.path("all").path("succeeded").longValue()).isEqualTo(100);
    assertThat(Outcome.of("load", "merge", results.toString()).out())
        .contains("note: worker 3 of 3 is missing", "note: the clocks of the workers differ by");
    assertThat(Outcome.of("load", "merge", root.toString()))
        .isEqualTo(
            new Outcome(
                3,
                "",
                "ferry load merge: %s: has no folder worker-1 with results; name what --out named for"
                        .formatted(root)
                    + " the workers\n"));
  }

  @Test
  void load_resultsOnAServer_areMergedFromThere() throws Exception {
    Path kept = Files.createDirectory(results.resolve("kept"));
    Path plan = results.resolve("plan.json");
    Files.writeString(
        plan, "{\"rate\": 100, \"seconds\": 1, \"warmUpSeconds\": 0, \"workers\": 2}");
    try (Servers servers = Servers.start(root);
        Servers other = Servers.start(kept)) {
      String out = "ferry://" + other.address(CarrierChoice.GRPC) + "/runs/a b";
      for (int worker = 1; worker <= 2; worker++) {
        assertThat(load(servers, "--plan=" + plan, "--worker=" + worker, "--out=" + out).err())
            .isEmpty();
      }
      assertThat(kept.resolve("runs/a b/worker-2"))
          .isDirectoryContaining("glob:**/{environment.json,timeline.csv,histograms.hlog}");
      assertThat(load(servers, "--plan=" + plan, "--worker=2", "--out=" + out))
          .isEqualTo(
              new Outcome(
                  4,
                  "",
                  "ferry load: --out: %s/worker-2 has files; name another folder, or delete them first\n"
                      .formatted(out)));

      Outcome merged = Outcome.of("load", "merge", "--json", out);
      assertThat(merged.err()).isEmpty();
      assertThat(merged.exitCode()).isZero();
      assertThat(valid(merged.out().strip()).path("all").path("arrivals").longValue())
          .isEqualTo(100);
      Files.delete(kept.resolve("runs/a b/worker-1/report.json"));
      assertThat(Outcome.of("load", "merge", out).out()).contains("note: worker 1 of 2 is missing");
      String empty = "ferry://" + other.address(CarrierChoice.GRPC) + "/runs";
      assertThat(Outcome.of("load", "merge", empty))
          .isEqualTo(
              new Outcome(
                  3,
                  "",
                  "ferry load merge: %s: has no folder worker-1 with results; name what --out named for"
                          .formatted(empty)
                      + " the workers\n"));
      assertThat(left()).isEmpty();
    }
  }

  /** A store that answers a request every ten milliseconds, at most 100 a second. */
  private static final class SlowStore extends ForwardingStore {
    private static final long NANOS = 10_000_000;

    SlowStore(FileStore store) {
      super(store);
    }

    @Override
    public synchronized FileFacts stat(StorePath path, boolean digest) throws FerryException {
      for (long until = System.nanoTime() + NANOS, left = NANOS;
          left > 0;
          left = until - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      return super.stat(path, digest);
    }
  }

  @Test
  void load_figuresOfFailIf_decideTheExitCode() throws Exception {
    try (Servers servers = Servers.start(new LossyStore(LocalFileStore.open(root)))) {
      String[] load = {"--rate=50", "--for=1s", "--warm-up=0", "--mix=get", "--files=1K:3,2K:1"};
      Outcome outcome = load(servers, with(load, "--fail-if=errors>0.1%,p99>0ms,rate<1000000"));
      assertThat(outcome.exitCode()).isEqualTo(11);
      assertThat(outcome.err().lines())
          .satisfiesExactly(
              line -> assertThat(line).matches("ferry load: --fail-if: errors>0.1%: are .* %"),
              line -> assertThat(line).matches("ferry load: --fail-if: p99>0ms: is .* ms"),
              line -> assertThat(line).matches("ferry load: --fail-if: rate<1000000: is .*/s"));
      Outcome passed = load(servers, with(load, "--fail-if=errors>99%,max>1h"));
      assertThat(passed.err()).isEmpty();
      assertThat(passed.exitCode()).isZero();
      assertThat(passed.out()).startsWith("ms ");
      assertThat(load(servers, with(load, "--fail-if=p99=50ms")).err())
          .contains("'p99=50ms' is no threshold; give p99>50ms, max>1s, errors>0.1% or rate<");
    }
  }

  /** Nothing of a load that never succeeds is called fast. */
  @Test
  void load_thatNeverSucceeds_hasNoLatency() throws Exception {
    try (Servers servers = Servers.start(new LossyStore(LocalFileStore.open(root)))) {
      String[] load = {"--rate=20", "--for=1s", "--warm-up=0", "--files=1K:1,2K:100000000"};
      assertThat(load(servers, with(load, "--out=" + results)).out().lines().skip(1).findFirst())
          .hasValueSatisfying(
              line -> assertThat(line).matches("get +0 +20 +20\\.0 +0\\.0 +0\\.0( +-){6}"));
      assertThat(Files.readAllLines(results.resolve("timeline.csv")).subList(1, 2))
          .allSatisfy(line -> assertThat(line).matches("0\\.000,.*,get,0,\\d+,,,,,\\d+"));
    }
  }

  @Test
  void load_optionsThatCannotHold_areRefused() throws Exception {
    try (Servers servers = Servers.start(root)) {
      assertThat(load(servers, "--find=p99=50ms", "--fail-if=errors>1%").err())
          .contains("--fail-if: is not for --find, which has its own limit");
      for (String several : List.of("--find=p99=50ms", "--rate=10..100")) {
        assertThat(load(servers, several, "--mix=call", "--start-at=2999-01-01T00:00:00Z").err())
            .contains("--start-at: is for a load at one rate; leave it out with --find and with");
      }
    }
  }

  private static String[] with(String[] options, String more) {
    return Stream.concat(Stream.of(options), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void load_stages_haveALineEachAndALiveOneOnATerminal() throws Exception {
    try (Servers servers = Servers.start(root)) {
      String[] load = {"--for=1s", "--warm-up=0", "--mix=call"};
      Outcome outcome = load(servers, with(load, "--rate=10/s..160/s"));
      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      assertThat(outcome.out().lines().map(line -> line.strip().split(" ")[0]))
          .containsExactly("asked/s", "10.0", "20.0", "40.0", "80.0", "160.0");
      assertThat(load(servers, "--rate=9..1").err()).contains("the second one above the first");
      assertThat(load(servers, "--rate=1..9", "--out=" + results).err())
          .contains("--rate: stages are not for --find, --out and --workers");
      String command =
          PseudoTerminal.FERRY
              + " load --rate=20/s --for=3s --warm-up=0 --mix=call --server="
              + servers.address(CarrierChoice.GRPC);
      try (PseudoTerminal terminal = new PseudoTerminal(command)) {
        assertThat(terminal.exitCode()).isZero();
        assertThat(terminal.screen())
            .containsPattern("1 of 3 s, \\d.*/s, p50 .* ms, p99 .* ms, 0 f");
      }
    }
  }

  @Test
  void find_onAServerOfKnownCapacity_isNotAboveIt() throws Exception {
    try (Servers servers = Servers.start(new SlowStore(LocalFileStore.open(root)))) {
      Outcome outcome =
          load(
              servers,
              "--find=p90=1s",
              "--rate=1000",
              "--for=2s",
              "--warm-up=0",
              "--mix=stat",
              "--out=" + results,
              "--json");

      JsonNode found = valid(outcome.out().strip());
      assertThat(outcome.exitCode()).as(outcome.out()).isZero();
      // Two seconds at a rate above the capacity let a backlog grow; a second of it is allowed.
      assertThat(found.path("highestRate").doubleValue()).isPositive().isLessThan(170);
      assertThat(found.path("steps")).anyMatch(step -> !step.path("held").booleanValue());
      assertThat(results.resolve("latency.svg")).content().contains("p90=1000ms", "polyline");
      assertThat(results.resolve("report.html"))
          .content()
          .contains("p90=1000ms holds up to ", "polyline", "<td>not held</td>");
    }
  }
}
