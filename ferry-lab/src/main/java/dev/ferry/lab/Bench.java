package dev.ferry.lab;

import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.report.HtmlReport;
import dev.ferry.lab.report.RunJson;
import dev.ferry.lab.report.SvgReport;
import dev.ferry.lab.report.TextReport;
import dev.ferry.lab.run.Cancellation;
import dev.ferry.lab.run.RunFolder;
import dev.ferry.lab.run.RunListener;
import dev.ferry.lab.run.RunLoop;
import dev.ferry.lab.stats.Ceilings;
import dev.ferry.lab.stats.Comparisons;
import dev.ferry.lab.stats.Rows;
import dev.ferry.lab.suite.Pin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a comparison and writes its folder: {@code run.json}, {@code report.md}, {@code
 * report.html}, {@code report.svg} and {@code samples/}.
 *
 * <p>Only one run at a time may use the machine, because concurrent load distorts the figures. Not
 * thread-safe, except for the cancellation.
 */
public final class Bench {
  private final Clock clock;

  /** Creates a bench that reads the time from a clock. */
  public Bench(Clock clock) {
    this.clock = clock;
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
    Path file = request.file();
    if (file != null) {
      long unused = RunLoop.requireFile(file);
    }
    Profiler profiler = request.profiler();
    if (profiler != null) {
      RunLoop.requireProfiler(profiler);
    }
    Pin pin = request.pin() ? Pin.halves() : null;
    RunDocument resumed = request.resumed();
    RunFolder folder =
        resumed == null ? RunFolder.create(request.out()) : new RunFolder(request.out());
    try (RunLoop loop =
        RunLoop.prepare(
            request.plan(),
            request.profile(),
            request.processes(),
            pin,
            profiler,
            folder,
            request.workFolder(),
            request.file(),
            request.generatedBytes(),
            cancellation,
            clock,
            request.time(),
            resumed == null ? List.of() : resumed.rows())) {
      if (resumed != null) {
        requireSame(resumed, loop);
      }
      RunRecorder recorder =
          new RunRecorder(
              folder, results -> document(request, loop, results, false), request, listener);
      List<RowRun> rows;
      try {
        rows = loop.run(recorder, results -> undecided(document(request, loop, results, false)));
      } catch (IOException | RuntimeException e) {
        recorder.fail(e);
        throw e;
      }
      RunDocument measured = document(request, loop, rows, loop.complete());
      RunDocument run = measured.withAdvice(request.plan().advice(measured));
      RunJson.write(folder.json(), run);
      writeReports(folder, run);
      return run;
    }
  }

  /** A run has one machine, one build and one file. */
  private static void requireSame(RunDocument resumed, RunLoop loop) throws LabException {
    String differs =
        !resumed.ferry().equals(loop.ferry())
            ? "build of Ferry"
            : !resumed.file().equals(loop.file())
                ? "file"
                : !resumed.environment().sameMachine(loop.environment()) ? "machine or JDK" : null;
    if (differs != null) {
      throw LabException.failure(
          "the run cannot be resumed, because another %s made it; start a new run"
              .formatted(differs));
    }
  }

  private static Map<RowKey, Integer> undecided(RunDocument run) {
    Map<RowKey, Integer> forks = new LinkedHashMap<>();
    for (Row row : run.rows()) {
      Comparison comparison = row.comparison();
      if (comparison != null && comparison.furtherForks() != null && !row.isControl()) {
        forks.put(row.key(), comparison.furtherForks());
      }
    }
    return forks;
  }

  private static RunDocument document(
      BenchRequest request, RunLoop loop, List<RowRun> rows, boolean complete) {
    List<Ceiling> ceilings = Ceilings.of(loop.ceilings());
    List<Row> figures = Rows.of(rows, ceilings);
    Criteria criteria = new Criteria(request.threshold(), Comparisons.floor(figures), loop.looks());
    return new RunDocument(
        RunDocument.SCHEMA,
        loop.ferry(),
        loop.environment(),
        loop.file(),
        request.profile().label(),
        request.profile().settings(),
        request.profiler(),
        complete,
        Comparisons.withBaselines(figures, criteria),
        ceilings,
        request.plan().byTime(),
        criteria,
        List.of(),
        request.arguments());
  }

  /**
   * Renders the reports of a run folder again.
   *
   * @return the run
   * @throws LabException if the folder contains no run
   * @throws IOException if reports cannot be written
   */
  public static RunDocument report(Path folder) throws LabException, IOException {
    RunDocument run = read(folder);
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
