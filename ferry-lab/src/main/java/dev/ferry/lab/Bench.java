package dev.ferry.lab;

import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.model.network.NetworkRun;
import dev.ferry.lab.network.NetworkSession;
import dev.ferry.lab.report.HtmlReport;
import dev.ferry.lab.report.RunJson;
import dev.ferry.lab.report.SvgReport;
import dev.ferry.lab.report.TextReport;
import dev.ferry.lab.run.BenchRequest;
import dev.ferry.lab.run.Cancellation;
import dev.ferry.lab.run.RunFolder;
import dev.ferry.lab.run.RunListener;
import dev.ferry.lab.run.RunLoop;
import dev.ferry.lab.run.RunSetup;
import dev.ferry.lab.stats.Ceilings;
import dev.ferry.lab.stats.Comparisons;
import dev.ferry.lab.stats.Rows;
import dev.ferry.lab.suite.RunPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a comparison and writes its folder: {@code run.json}, {@code report.md}, {@code
 * report.html}, {@code report.svg} and {@code samples/}.
 *
 * <p>Only one run at a time may use the machine, because concurrent load distorts the figures. Not
 * thread-safe, except for the cancellation.
 */
public final class Bench {
  private final Clock clock;
  private final Function<RowKey, Optional<String>> names;
  private final Function<RunDocument, List<String>> advice;

  /** Creates a bench that names no method and gives no advice. */
  public Bench(Clock clock) {
    this(clock, row -> Optional.empty(), run -> List.of());
  }

  /**
   * Creates a bench.
   *
   * @param clock tells the time
   * @param names returns what people call the method of a row, if it has a name
   * @param advice returns what a run says, in sentences; the first one is the answer
   */
  public Bench(
      Clock clock,
      Function<RowKey, Optional<String>> names,
      Function<RunDocument, List<String>> advice) {
    this.clock = clock;
    this.names = names;
    this.advice = advice;
  }

  /**
   * Runs to the end or until cancelled. In both cases the folder then holds the results so far, and
   * all temporary files are deleted.
   *
   * @return the run; {@link RunDocument#failed} if a row failed
   * @throws LabException if the run cannot start
   * @throws IOException if results cannot be written
   */
  public RunDocument run(BenchRequest request, RunListener listener, Cancellation cancellation)
      throws LabException, IOException {
    Network network = request.network();
    if (network == null) {
      return run(request, null, listener, cancellation);
    }
    RunDocument resumed = request.resumed();
    NetworkRun earlier = resumed == null ? null : resumed.network();
    try (NetworkSession session =
        NetworkSession.open(
            network, request.workFolder(), earlier == null ? List.of() : earlier.calibrations())) {
      return run(request, session, listener, cancellation);
    }
  }

  private RunDocument run(
      BenchRequest request,
      @Nullable NetworkSession network,
      RunListener listener,
      Cancellation cancellation)
      throws LabException, IOException {
    try (RunSetup setup = RunSetup.prepare(request, network, clock)) {
      RunLoop loop = new RunLoop(setup, cancellation, clock);
      Supplier<RunDocument> soFar =
          () -> document(setup, loop, network == null ? null : network.run(false), false);
      RunRecorder recorder = new RunRecorder(setup.folder(), soFar, request);
      try {
        long begun = clock.millis();
        calibrate(network, cancellation);
        // It is measured once more after the rows.
        Duration atEnd =
            network == null ? Duration.ZERO : Duration.ofMillis(clock.millis() - begun);
        loop.run(listener, recorder::write, atEnd, () -> look(request, soFar.get()));
        if (network != null && !cancellation.isCancelled()) {
          network.calibrateAtEnd();
        }
      } catch (IOException | RuntimeException e) {
        recorder.fail(e);
        throw e;
      }
      NetworkRun measuredNetwork = network == null ? null : network.run(true);
      RunDocument measured = document(setup, loop, measuredNetwork, loop.complete());
      RunDocument run = measured.withAdvice(advice.apply(measured));
      RunJson.write(setup.folder().json(), run);
      writeReports(setup.folder(), run);
      return run;
    }
  }

  /** A cancelled run ends without another calibration. */
  private static void calibrate(@Nullable NetworkSession network, Cancellation cancellation)
      throws IOException {
    if (network == null || cancellation.isCancelled()) {
      return;
    }
    try {
      network.calibrate();
    } catch (IOException e) {
      // A cancellation kills the calibration's processes.
      if (!cancellation.isCancelled()) {
        throw e;
      }
    }
  }

  private static RunLoop.Look look(BenchRequest request, RunDocument run) {
    Criteria criteria = run.criteria();
    Map<RowKey, Integer> undecided = new LinkedHashMap<>();
    for (Row row : run.rows()) {
      Comparison comparison = row.comparison();
      if (comparison != null && comparison.furtherForks() != null && !row.isControl()) {
        undecided.put(row.key(), comparison.furtherForks());
      }
    }
    Set<RowKey> unbeaten = new LinkedHashSet<>();
    for (RunPlan.Group group : request.plan().groups()) {
      List<Row> rivals =
          run.rows().stream()
              .filter(row -> group.rows().contains(row.key()) && group.asks(row.key()))
              .filter(Row::hasEnoughForks)
              .toList();
      Comparisons.unbeaten(rivals, criteria).forEach(row -> unbeaten.add(row.key()));
    }
    return new RunLoop.Look(undecided, unbeaten);
  }

  private RunDocument document(
      RunSetup setup, RunLoop loop, @Nullable NetworkRun network, boolean complete) {
    BenchRequest request = setup.request();
    List<Ceiling> ceilings = Ceilings.of(loop.measurements().ceilings(setup));
    List<Row> figures = Rows.of(loop.measurements().rows(setup), ceilings);
    Criteria criteria = Comparisons.criteria(request.threshold(), loop.looks(), figures);
    RunDocument unnamed =
        new RunDocument(
            RunDocument.SCHEMA,
            setup.ferry(),
            setup.environment(),
            setup.file(),
            request.profile().label(),
            request.profile().settings(),
            request.profiler(),
            complete,
            Comparisons.unless(
                network == null ? null : network.reason(),
                Comparisons.withBaselines(figures, criteria)),
            ceilings,
            request.plan().byTime(),
            criteria,
            List.of(),
            request.arguments(),
            network,
            setup.server(),
            loop.minutesForVerdicts());
    return unnamed.withNames(names);
  }

  /**
   * Renders the reports of a run folder again, with the names and the advice of this version.
   *
   * @return the run
   * @throws LabException if the folder contains no run
   * @throws IOException if reports cannot be written
   */
  public RunDocument report(Path folder) throws LabException, IOException {
    RunDocument read = read(folder).withNames(names);
    RunDocument run = read.withAdvice(advice.apply(read));
    writeReports(new RunFolder(folder), run);
    return run;
  }

  /** Writes {@code report.md}, {@code report.html} and {@code report.svg}, over existing ones. */
  static void writeReports(RunFolder folder, RunDocument run) throws IOException {
    Files.writeString(folder.root().resolve("report.md"), TextReport.markdown(run));
    // A browser may be loading it.
    RunJson.replace(folder.page(), HtmlReport.render(run, false));
    Files.writeString(folder.root().resolve("report.svg"), SvgReport.render(run));
  }

  /**
   * Reads the run of a folder.
   *
   * @throws LabException if the folder contains no run
   */
  public static RunDocument read(Path folder) throws LabException {
    return RunJson.read(new RunFolder(folder).json());
  }
}
