package dev.ferry.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ferry.core.Round;
import dev.ferry.lab.Bench;
import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Part;
import dev.ferry.lab.model.ProcessUse;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.model.network.NetworkRun;
import dev.ferry.lab.model.network.WireCounters;
import dev.ferry.lab.network.Namespaces;
import dev.ferry.lab.network.Networks;
import dev.ferry.lab.run.BenchRequest;
import dev.ferry.lab.run.Cancellation;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.run.RunListener;
import dev.ferry.lab.run.TaxiFile;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.suite.RowFilter;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.suites.file.DistanceSuite;
import dev.ferry.suites.file.FileTransferSuite;
import dev.ferry.suites.file.LocalCopySuite;
import dev.ferry.suites.file.SmallScaleSuite;
import dev.ferry.suites.rival.nginx.NginxServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs rows whose server has a process of its own. */
final class TwoProcessesTest {
  /** For what would otherwise hang; nothing waits that long. */
  private static final int PATIENCE_SECONDS = 60;

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path work;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path out;

  private final List<String> viewed = new ArrayList<>();
  private boolean pin;
  private boolean controls;
  private @Nullable Network network;
  private final Cancellation cancellation = new Cancellation();

  @BeforeEach
  void makeFolders() throws IOException {
    work = Files.createDirectory(folder.resolve("work"));
    out = folder.resolve("run");
  }

  @Test
  void run_overTheNetwork_showsBothSidesAndTheirSumAlsoOfTheBaselineAgain() throws Exception {
    controls = true;
    String method = Round.isThorough() ? "ZeroCopy" : "HttpClient";
    RunDocument run =
        bench(
            new FileTransferSuite(),
            "table=download,BufferSize=65536,UseCompression=false,method=" + method,
            row -> {});

    assertThat(run.complete()).isTrue();
    assertThat(run.rows())
        .extracting(Row::method)
        .containsExactlyElementsOf(
            Round.isThorough()
                ? List.of("ZeroCopy", "HttpClient", "HttpClient A/A")
                : List.of("HttpClient", "HttpClient A/A"));
    assertThat(run.rows()).extracting(Row::reason).containsOnlyNulls();
    assertThat(run.rows())
        .allSatisfy(TwoProcessesTest::hasBothSides)
        // Other programs of the machine may have sent something as well.
        .allSatisfy(
            r ->
                assertThat(r.parts())
                    .filteredOn(part -> part.name().equals("Wire"))
                    .hasSize(OS.LINUX.isCurrentOs() ? 1 : 0)
                    .allMatch(part -> part.value() * 1024 > 1_000_000));
    Schemas.assertConforms(Files.readString(out.resolve("run.json")));
    assertThat(out.resolve("report.md")).content().contains("Alloc server").contains("Processes=2");
    assertThat(viewed).hasSize(1);
    assertThat(viewed.get(0)).contains("This run continues", "http-equiv=\"refresh\"");
    assertThat(out.resolve("report.html"))
        .content()
        .contains("CPU client")
        .doesNotContain("This run continues", "http-equiv=\"refresh\"");
    assertNothingLeft();
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void run_manyFilesInTurnAndAtOnce_measuresOnBothSides() throws Exception {
    RunDocument run =
        bench(
            List.of(new SmallScaleSuite()),
            List.of(
                "table=sizes-upload,FileSize=1024,method=ZeroCopy",
                "table=concurrency-download,Transfers=4,Channels=1,method=Default"),
            row -> {});

    assertThat(run.rows()).hasSize(4).allSatisfy(TwoProcessesTest::hasBothSides);
    Row upload = run.rows().get(0);
    assertThat(upload.setup().load()).isEqualTo(Load.files(1_024, 32, 1));
    assertThat(upload.work().bytes()).isEqualTo(1_024);
    Row download = run.rows().get(2);
    assertThat(download.setup().load()).isEqualTo(Load.files(SmallScaleSuite.BYTES_AT_ONCE, 1, 4));
    assertThat(download.work().bytes()).isEqualTo(4 * SmallScaleSuite.BYTES_AT_ONCE);
    assertThat(run.rows().subList(0, 2))
        .allSatisfy(r -> assertThat(r.bound().ceiling()).startsWith("socket-upload"));
    assertThat(run.rows().subList(2, 4))
        .allSatisfy(r -> assertThat(r.bound().ceiling()).startsWith("socket-download"));
    assertThat(run.rows()).allSatisfy(r -> assertThat(r.bound().times()).isPositive());
    assertThat(run.ceilings())
        .extracting(Ceiling::name, Ceiling::load, Ceiling::bytes, Ceiling::n)
        .containsExactly(
            tuple("socket-upload", upload.setup().load(), upload.work().bytes(), 2),
            tuple("socket-download", download.setup().load(), download.work().bytes(), 2));
    assertThat(out.resolve("samples"))
        .isDirectoryContaining(
            f -> f.endsWith("ceiling-socket-upload-32-files-of-1024-bytes-in-turn-round-1.jsonl"));
    Schemas.assertConforms(Files.readString(out.resolve("run.json")));
    assertThat(out.resolve("report.md"))
        .content()
        .contains("ns/byte")
        .contains("CPU/GiB server")
        .contains("| socket-download, 4 files of 250,000 bytes at once");
    assertNothingLeft();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void run_pinned_runsRowsAndCeilingsAndNamesTheProcessors() throws Exception {
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    pin = true;
    RunDocument run = bench(new LocalCopySuite(), "method=Copy,BufferSize=4096", row -> {});

    assertThat(run.failed()).isFalse();
    assertThat(run.ceilings()).hasSize(2).allMatch(c -> c.status() == Status.OK);
    assertThat(run.rows().get(0).setup().flags())
        .hasSize(2)
        .allMatch(flag -> flag.startsWith("-Dferry.lab.pin."));
    assertNothingLeft();
  }

  /** nginx is at the server's end of the wire, and curl at the client's. */
  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void run_overAWire_measuresRowsAndCeilingsAcrossItAlsoOfOtherPrograms() throws Exception {
    network = Networks.parse("rtt=2ms,rate=200mbit,loss=1%");
    String obstacle = Namespaces.obstacle(work);
    assumeThat(obstacle).as(obstacle).isNull();
    RunDocument run =
        bench(
            List.of(new FileTransferSuite(), new DistanceSuite()),
            List.of(
                "table=upload,BufferSize=65536,UseCompression=false,method=ZeroCopy",
                "table=download,FileSize=65536,Connection=new,method=NginxCurl"),
            row -> {});

    assertThat(run.rows())
        .extracting(Row::method)
        .containsExactly("ZeroCopy", "HttpClient", "HttpClient", "NginxCurl");
    List<Row> uploads = run.rows().subList(0, 2);
    assertThat(run.rows().subList(0, 3)).extracting(Row::reason).containsOnlyNulls();
    assertThat(run.ceilings()).extracting(Ceiling::reason).containsOnlyNulls();
    assertThat(run.complete()).isTrue();
    assertThat(uploads)
        .allSatisfy(TwoProcessesTest::hasBothSides)
        .allSatisfy(row -> assertThat(row.bound().ceiling()).startsWith("socket-upload"));
    NetworkRun measured = Objects.requireNonNull(run.network());
    assertThat(measured.calibrations()).hasSize(2);
    WireCounters counters = Objects.requireNonNull(measured.wire());
    assertThat(counters.client().bytes())
        .isGreaterThan(uploads.size() * Objects.requireNonNull(uploads.get(0).work().bytes()));
    assertThat(counters.client().lost()).isPositive();
    // Whether the network was as asked depends on what else runs.
    assertThat(uploads)
        .filteredOn(row -> row.comparison() != null)
        .allMatch(
            row ->
                (measured.reason() == null)
                    == (Objects.requireNonNull(row.comparison()).verdict()
                        != Verdict.NOT_COMPARABLE));
    Schemas.assertConforms(Files.readString(out.resolve("run.json")));
    assertThat(out.resolve("report.md"))
        .content()
        .contains("Network custom: RTT 2 ms, 200 Mbit/s, loss 1 %")
        .doesNotContain("over loopback");
    hasOtherPrograms(run.rows().get(3));
    assertNothingLeft();
  }

  private static void hasOtherPrograms(Row row) {
    if (!NginxServer.isInstalled()) {
      assertThat(row.reason()).isEqualTo(NginxServer.HOW_TO_INSTALL);
      return;
    }
    assertThat(row.reason()).isNull();
    assertThat(row.client()).isNull();
    assertThat(row.server()).isNull();
    assertThat(row.memory().allocatedBytes()).isNull();
    // The connection, and the request.
    assertThat(row.parts())
        .filteredOn(part -> part.name().equals("Round trips"))
        .singleElement()
        .satisfies(part -> assertThat(part.value()).isGreaterThanOrEqualTo(2));
    assertThat(row.parts()).extracting(Part::name).contains("Retransmitted");
  }

  private static void hasBothSides(Row row) {
    ProcessUse client = Objects.requireNonNull(row.client());
    ProcessUse server = Objects.requireNonNull(row.server());
    assertThat(row.status()).isEqualTo(Status.OK);
    assertThat(row.setup().processes()).isEqualTo(2);
    assertThat(row.work().digestChecked()).isTrue();
    assertThat(client.allocatedBytes()).isPositive();
    assertThat(server.allocatedBytes()).isPositive();
    assertThat(row.memory().allocatedBytes())
        .isCloseTo(client.allocatedBytes() + server.allocatedBytes(), within(0.01));
    assertThat(row.cpu().millis()).isCloseTo(client.cpuMillis() + server.cpuMillis(), within(1e-6));
    assertThat(row.memory().gen0()).isCloseTo(client.gen0() + server.gen0(), within(1e-6));
    assertThat(row.memory().gen1()).isCloseTo(client.gen1() + server.gen1(), within(1e-6));
    assertThat(client.directPeakBytes()).isPositive();
    assertThat(server.directPeakBytes()).isPositive();
    assertThat(row.memory().heapPeakBytes())
        .isLessThanOrEqualTo(client.heapPeakBytes() + server.heapPeakBytes());
    assertThat(row.memory().directPeakBytes())
        .isLessThanOrEqualTo(client.directPeakBytes() + server.directPeakBytes());
  }

  @Test
  void run_processesThatDie_failTheirRowsAndTheRestGoesOn() throws Exception {
    CompletableFuture<ProcessHandle> serverOfKilledFork = new CompletableFuture<>();
    List<String> filters =
        new ArrayList<>(List.of("method=Endless,BufferSize=1024", "method=Silent,BufferSize=1024"));
    if (Round.isThorough()) {
      filters.add("method=Unserved,BufferSize=1024");
    }
    RunDocument run =
        bench(
            List.of(new LocalCopySuite()),
            filters,
            row -> {
              if (row.method().equals(LocalCopySuite.ENDLESS)) {
                inBackground(
                    () -> {
                      serverOfKilledFork.complete(awaitServer());
                      fork().orElseThrow().destroyForcibly();
                    });
              } else if (row.method().equals(LocalCopySuite.SILENT)) {
                killServerWhenBusy();
              }
            });

    assertThat(run.rows())
        .extracting(Row::method, Row::status)
        .startsWith(
            tuple("Copy", Status.OK),
            tuple("Endless", Status.FAILED),
            tuple("Silent", Status.FAILED))
        .hasSize(Round.times(3, 4));
    assertEnds(serverOfKilledFork.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertThat(run.rows().get(2).reason())
        .isEqualTo("the server's JVM ended with exit code 137; see forks.log");
    if (Round.isThorough()) {
      Row unserved = run.rows().get(3);
      assertThat(unserved.method()).isEqualTo("Unserved");
      assertThat(unserved.status()).isEqualTo(Status.FAILED);
      assertThat(unserved.reason())
          .isEqualTo("the server failed: there is nobody to serve; see forks.log");
    }
    Schemas.assertConforms(Files.readString(out.resolve("run.json")));
    assertNothingLeft();
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void cancel_inTheMiddle_leavesNoProcess() throws Exception {
    CompletableFuture<ProcessHandle> server = new CompletableFuture<>();
    RunDocument run =
        bench(
            new LocalCopySuite(),
            "method=Endless,BufferSize=1024",
            row -> {
              if (row.method().equals(LocalCopySuite.ENDLESS)) {
                inBackground(
                    () -> {
                      server.complete(awaitServer());
                      cancellation.cancel(PATIENCE_SECONDS);
                    });
              }
            });
    cancellation.ended();

    assertThat(run.complete()).isFalse();
    assertThat(run.failed()).isFalse();
    assertEnds(server.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertNothingLeft();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RunDocument bench(Suite suite, String filter, Consumer<RowKey> started) throws Exception {
    return bench(List.of(suite), List.of(filter), started);
  }

  private RunDocument bench(List<Suite> suites, List<String> filters, Consumer<RowKey> started)
      throws Exception {
    List<RowFilter> parsed = new ArrayList<>();
    for (String filter : filters) {
      parsed.add(RowFilter.parse(filter, suites));
    }
    RunPlan chosen = RunPlan.of(suites, parsed);
    RunPlan plan = controls ? chosen.withControls() : chosen;
    Path file = Files.write(folder.resolve("file.bin"), new byte[1_000_000]);
    return new Bench(Clock.systemUTC())
        .run(
            new BenchRequest(
                plan,
                Profile.SMOKE,
                2,
                pin,
                Jvms.DEFAULT,
                network,
                null,
                null,
                file,
                TaxiFile.BYTES,
                out,
                work,
                Criteria.DEFAULT_THRESHOLD,
                null,
                List.of(),
                null,
                page -> viewed.add(read(page))),
            new RunListener() {
              @Override
              public void started(RowFork fork, int round, int done, int total, Duration left) {
                if (!fork.isCeiling()) {
                  started.accept(fork.first());
                }
              }
            },
            cancellation);
  }

  private static void inBackground(Runnable work) {
    Thread thread = new Thread(work, "test-killer");
    thread.setDaemon(true);
    thread.start();
  }

  private void killServerWhenBusy() {
    inBackground(
        () -> {
          while (!isWaiting()) {
            pause();
          }
          awaitServer().destroyForcibly();
        });
  }

  /** Whether a client has begun an operation that its server will never end. */
  private boolean isWaiting() {
    try (Stream<Path> runs = Files.list(work)) {
      return runs.anyMatch(r -> Files.exists(r.resolve("store").resolve(LocalCopySuite.WAITING)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Optional<ProcessHandle> fork() {
    return ProcessHandle.current().children().findFirst();
  }

  private static ProcessHandle awaitServer() {
    while (true) {
      Optional<ProcessHandle> server = fork().flatMap(f -> f.children().findFirst());
      if (server.isPresent()) {
        return server.get();
      }
      pause();
    }
  }

  private static void assertEnds(ProcessHandle process) throws Exception {
    process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(process.isAlive()).isFalse();
  }

  private void assertNothingLeft() throws InterruptedException {
    // One that was ended may still be about to go.
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (ProcessHandle.current().descendants().findAny().isPresent() && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(ProcessHandle.current().descendants()).isEmpty();
    assertThat(work).isEmptyDirectory();
  }
}
