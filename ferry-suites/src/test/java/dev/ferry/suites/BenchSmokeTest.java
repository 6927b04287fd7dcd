package dev.ferry.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.ferry.core.Round;
import dev.ferry.lab.Bench;
import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.report.RunJson;
import dev.ferry.lab.run.BenchRequest;
import dev.ferry.lab.run.Cancellation;
import dev.ferry.lab.run.RunListener;
import dev.ferry.lab.run.jvm.Jvm;
import dev.ferry.lab.run.jvm.JvmFlags;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.suite.RowFilter;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.suites.file.LocalCopySuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the lab with real forks over the suite that copies files locally. */
final class BenchSmokeTest {
  /** The first fork runs, however short the time is. */
  private static final Duration SHORT = Duration.ofSeconds(3);

  private static final RunListener SILENT = new RunListener() {};

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path work;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path out;

  private @Nullable Profiler profiler;

  @BeforeEach
  void makeFolders() throws IOException {
    work = Files.createDirectory(folder.resolve("work"));
    out = folder.resolve("run");
  }

  @Test
  void run_smallFile_writesRunOfTheSchemaAndReports() throws Exception {
    RunDocument run = bench(file(100_000), SILENT, "method=Copy,BufferSize=4096");

    assertThat(run.complete()).isTrue();
    assertThat(run.rows()).noneMatch(row -> row.status() == Status.FAILED);
    assertThat(run.rows()).singleElement().satisfies(BenchSmokeTest::hasAllFigures);
    assertThat(run.ceilings())
        .extracting(Ceiling::name, Ceiling::n, Ceiling::bytes)
        .containsExactly(tuple("socket-download", 2, 100_000L), tuple("file-write", 2, 100_000L));
    Schemas.assertConforms(Files.readString(out.resolve("run.json")));
    assertThat(out.resolve("report.md")).content().contains("| **Copy**").contains("4096");
    assertThat(out.resolve("report.md")).content().containsPattern("\\| socket-download +\\|");
    assertThat(out.resolve("report.html")).content().contains("echarts").doesNotContain("{{");
    assertThat(out.resolve("report.svg")).content().startsWith("<svg").contains("Copy");
    assertThat(out.resolve("samples")).isNotEmptyDirectory();
    assertThat(work).isEmptyDirectory();
  }

  private static void hasAllFigures(Row row) {
    assertThat(row.status()).isEqualTo(Status.OK);
    assertThat(row.time().samples()).hasSize(2).allMatch(s -> s > 0);
    assertThat(row.time().ratio()).isEqualTo(1.0);
    assertThat(row.memory().allocatedBytes()).isPositive();
    // The kernel accounts for a running thread at its next tick: less than that may be nothing.
    assertThat(row.cpu().millis()).isNotNegative();
    assertThat(row.work().bytes()).isEqualTo(100_000);
    assertThat(row.bound().ceiling()).startsWith("socket-download");
    assertThat(row.bound().times()).isPositive();
    assertThat(row.work().digestChecked()).isTrue();
  }

  @Test
  void run_emptyFile_measures() throws Exception {
    // Rows of the smallest buffer have no ceilings.
    String bufferSize = Round.isThorough() ? "65536" : "1024";
    RunDocument run = bench(file(0), SILENT, "method=Copy,BufferSize=" + bufferSize);

    assertThat(run.rows()).singleElement().extracting(Row::status).isEqualTo(Status.OK);
    assertThat(run.ceilings())
        .extracting(Ceiling::name, Ceiling::status)
        .containsExactlyElementsOf(
            Round.isThorough()
                ? List.of(tuple("file-write", Status.OK), tuple("gzip-all", Status.OK))
                : List.of());
    Schemas.assertConforms(Files.readString(out.resolve("run.json")));
  }

  static Stream<Profiler> profilers() {
    return Round.isThorough() ? Stream.of(Profiler.values()) : Stream.of(Profiler.JFR);
  }

  @ParameterizedTest
  @MethodSource("profilers")
  void run_profiler_keepsAProfileOfEachRowAndSaysSo(Profiler each) throws Exception {
    profiler = each;
    RunDocument run = bench(file(100_000), SILENT, "method=Copy,BufferSize=1024");

    assertThat(run.rows()).noneMatch(row -> row.status() == Status.FAILED);
    assertThat(run.profiler()).isEqualTo(each);
    assertThat(RunJson.read(out.resolve("run.json"))).isEqualTo(run);
    Schemas.assertConforms(Files.readString(out.resolve("run.json")));
    assertThat(out.resolve("report.md")).content().contains("PROFILED with " + each.label());
    assertThat(out.resolve("report.html")).content().contains(">PROFILED with");
    Path profile =
        out.resolve("profiles")
            .resolve(run.rows().get(0).key().fileName() + "-r1." + each.extension());
    assertThat(out.resolve("profiles")).isDirectoryContaining(profile::equals);
    if (each == Profiler.ASYNC) {
      assertThat(profile).content().contains("<html", "</html>");
    } else {
      assertThat(RecordingFile.readAllEvents(profile))
          .filteredOn(e -> e.getEventType().getName().equals("dev.ferry.Sample"))
          .hasSize(2);
    }
    assertThat(work).isEmptyDirectory();
  }

  @Test
  void run_badRows_failWithReasonAndTheRestGoesOn() throws Exception {
    Map<String, String> reasons = new LinkedHashMap<>();
    if (Round.isThorough()) {
      reasons.put(LocalCopySuite.CORRUPT, "SHA-256");
    }
    reasons.put(LocalCopySuite.MISLABELLED, "protocol is pigeon");
    RunDocument run =
        bench(
            file(1),
            SILENT,
            reasons.keySet().stream()
                .map(method -> "BufferSize=1024,method=" + method)
                .toArray(String[]::new));

    assertThat(run.complete()).isTrue();
    assertThat(run.failed()).isTrue();
    assertThat(run.rows()).hasSize(1 + reasons.size());
    assertThat(run.rows().get(0).method()).isEqualTo(LocalCopySuite.COPY);
    assertThat(run.rows().get(0).status()).isEqualTo(Status.OK);
    List<Row> bad = run.rows().subList(1, run.rows().size());
    assertThat(bad).extracting(Row::method).containsExactlyElementsOf(reasons.keySet());
    assertThat(bad)
        .allSatisfy(row -> assertThat(row.status()).isEqualTo(Status.FAILED))
        .allSatisfy(row -> assertThat(row.reason()).contains(reasons.get(row.method())));
    assertThat(out.resolve("report.md")).content().contains("failed").contains("pigeon");
    Schemas.assertConforms(Files.readString(out.resolve("run.json")));
    assertThat(work).isEmptyDirectory();
  }

  @Test
  void run_rowsOnRequest_haveTheirFlagsAndSayWhyTheyWereSkipped() throws Exception {
    RunDocument run = bench(file(1), SILENT, "table=other-download,BufferSize=65536");

    assertThat(run.complete()).isTrue();
    assertThat(run.rows()).noneMatch(row -> row.status() == Status.FAILED);
    assertThat(run.rows())
        .extracting(Row::method, Row::status, Row::reason, r -> r.setup().flags())
        .containsExactly(
            tuple("Copy", Status.OK, null, List.of()),
            tuple("Absent", Status.SKIPPED, "install a pigeon", List.of()),
            tuple("Flagged", Status.OK, null, List.of("-Dferry.test.flagged=true")),
            tuple("Foreign", Status.OK, null, List.of()));
    Row foreign = run.rows().get(3);
    assertThat(foreign.time().ratio()).isPositive();
    assertThat(foreign.memory().allocatedBytes()).isNull();
    assertThat(foreign.cpu().millis()).isNull();
    assertThat(foreign.memory().directPeakBytes()).isNull();
    Schemas.assertConforms(Files.readString(out.resolve("run.json")));
    assertThat(out.resolve("report.md"))
        .content()
        .containsPattern("\\| Absent +\\| 65536 +\\| +skipped \\|")
        .contains("Skipped, 1 row: Absent: install a pigeon")
        .contains("JVM flags of Flagged beside those above: -Dferry.test.flagged=true");
    assertThat(out.resolve("report.html")).content().contains("install a pigeon");
  }

  @Test
  void cancel_inTheMiddle_keepsWhatWasMeasuredAndLeavesNothingBehind() throws Exception {
    Cancellation cancellation = new Cancellation();
    Thread[] hook = new Thread[1];
    RunListener listener =
        new RunListener() {
          @Override
          public void started(RowFork fork, int round, int done, int total, Duration left) {
            if (fork.title().contains(LocalCopySuite.ENDLESS)) {
              hook[0] = new Thread(() -> cancellation.cancel(20));
              hook[0].start();
            }
          }
        };

    RunDocument run =
        new Bench(Clock.systemUTC())
            .run(request(file(10), "method=Endless,BufferSize=1024"), listener, cancellation);
    cancellation.ended();
    hook[0].join();

    assertThat(run.complete()).isFalse();
    assertThat(run.rows()).noneMatch(row -> row.status() == Status.FAILED);
    assertThat(run.rows()).extracting(Row::status).containsExactly(Status.OK, Status.SKIPPED);
    assertThat(RunJson.read(out.resolve("run.json"))).isEqualTo(run);
    assertThat(out.resolve("report.md")).content().contains("INCOMPLETE");
    assertThat(work).isEmptyDirectory();
  }

  @Test
  void run_rowThatFailsInASharedFork_failsAlone() throws Exception {
    Set<RowFork> started = new LinkedHashSet<>();
    BenchRequest request = request(file(10), SHORT, "method=Corrupt,BufferSize=1024");
    RunDocument run =
        new Bench(Clock.systemUTC())
            .run(
                request,
                new RunListener() {
                  @Override
                  public void started(RowFork fork, int round, int done, int total, Duration left) {
                    started.add(fork);
                  }
                },
                new Cancellation());

    assertThat(started).first().satisfies(fork -> assertThat(fork.keys()).hasSize(2));
    assertThat(run.complete()).isTrue();
    assertThat(run.rows()).extracting(Row::status).containsExactly(Status.OK, Status.FAILED);
    assertThat(run.rows().get(0).forks()).isNotEmpty();
    assertThat(run.rows().get(1).reason()).contains("left SHA-256");
  }

  @Test
  void run_fileMissing_saysSoAndLeavesNothingBehind() {
    assertThatThrownBy(
            () -> bench(folder.resolve("nowhere.csv"), SILENT, "method=Copy,BufferSize=4096"))
        .isInstanceOf(LabException.class)
        .hasMessageContaining("nowhere.csv does not exist")
        .extracting(e -> ((LabException) e).usage())
        .isEqualTo(false);
    assertThat(work).isEmptyDirectory();
  }

  @Test
  void run_fileIsDirectory_saysSo() {
    assertThatThrownBy(() -> bench(work, SILENT, "method=Copy,BufferSize=4096"))
        .isInstanceOf(LabException.class)
        .hasMessageContaining("is not a regular file");
  }

  /** A cancellation looks the same if it kills what is about to become the JVM. */
  @Test
  void run_jvmThatDoesNotStart_failsItsRows() throws Exception {
    BenchRequest usual = request(file(10), "method=Copy,BufferSize=1024");
    Jvm gone = new Jvm(folder.resolve("gone"), "17", "17", "none", 17);
    BenchRequest request =
        SmokeRequests.of(
            usual.plan(),
            new Jvms(JvmFlags.DEFAULT, gone, Map.of()),
            null,
            file(10),
            out,
            work,
            null);

    RunDocument run = new Bench(Clock.systemUTC()).run(request, SILENT, new Cancellation());

    assertThat(run.complete()).isTrue();
    assertThat(run.rows())
        .allSatisfy(row -> assertThat(row.status()).isEqualTo(Status.FAILED))
        .allSatisfy(
            row -> assertThat(row.reason()).startsWith("the measuring JVM did not start: "));
    assertThat(work).isEmptyDirectory();
  }

  @Test
  void run_outHoldsRun_refusesIt() throws IOException {
    Files.createDirectory(out);
    Files.writeString(out.resolve("run.json"), "{}");

    assertThatThrownBy(() -> bench(file(1), SILENT, "method=Copy,BufferSize=4096"))
        .isInstanceOf(LabException.class)
        .hasMessageContaining("already holds a run");
    assertThat(out.resolve("run.json")).content().isEqualTo("{}");
  }

  private RunDocument bench(Path file, RunListener listener, String... filters) throws Exception {
    return new Bench(Clock.systemUTC()).run(request(file, filters), listener, new Cancellation());
  }

  private BenchRequest request(Path file, String... filters) throws LabException {
    return request(file, null, filters);
  }

  private BenchRequest request(Path file, @Nullable Duration time, String... filters)
      throws LabException {
    List<Suite> suites = List.of(new LocalCopySuite());
    List<RowFilter> parsed = new ArrayList<>();
    for (String filter : filters) {
      parsed.add(RowFilter.parse(filter, suites));
    }
    return SmokeRequests.of(
        RunPlan.of(suites, parsed), Jvms.DEFAULT, profiler, file, out, work, time);
  }

  private Path file(int bytes) throws IOException {
    return Files.write(folder.resolve("file.bin"), new byte[bytes]);
  }
}
