package dev.ferry.cli.load;

import dev.ferry.load.LoadReport;
import dev.ferry.load.MergedReport;
import dev.ferry.load.OperationResult;
import dev.ferry.load.RateSearch;
import dev.ferry.load.WorkerState;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Prints reports as tables. Times are in milliseconds. */
record LoadText(PrintWriter out) {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double BYTES_PER_MB = 1e6;
  private static final double PERCENT = 100;
  private static final String NONE = "-";
  private static final double FEW = 10;
  private static final double MANY = 1_000;
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};
  private static final List<String> HEADER =
      List.of(
          "ms", "done", "failed", "asked/s", "done/s", "MB/s", "mean", "p50", "p90", "p99", "p99.9",
          "max");

  private static final List<String> STEP_HEADER =
      List.of("asked/s", "done/s", "p50 ms", "p99 ms", "within", "lag ms", "");

  void print(LoadReport report) {
    operations(report.operations(), report.all());
    out.println();
    out.println(lag(report.lag()));
    out.println(worker(report.state()));
    notes(report.notes());
  }

  /** What is not in the table of a report, a line each. */
  static List<String> remarks(LoadReport report) {
    List<String> lines = new ArrayList<>(failures(report.operations()));
    lines.add(lag(report.lag()));
    lines.add(worker(report.state()));
    lines.addAll(report.notes());
    return lines;
  }

  private static String worker(WorkerState state) {
    return text(
        "worker: %.0f %% of %d processors, at most %,d operations at a time",
        state.cpuShare() * PERCENT, state.cores(), state.mostInFlight());
  }

  /** Returns a report in one line. */
  static String summary(OperationResult all) {
    return text(
        "%,.1f of %,.1f operations a second, p50 %s ms, p99 %s ms, %,d failed",
        all.donePerSecond(),
        all.askedPerSecond(),
        percentile(all.latencies(), 50),
        percentile(all.latencies(), 99),
        all.failed());
  }

  void print(MergedReport report) {
    operations(report.operations(), report.all());
    out.println();
    out.println(lag(report.lag()));
    out.println();
    table(workerRows(report));
    notes(report.notes());
  }

  /** What is not in the tables of a merged report, a line each. */
  static List<String> remarks(MergedReport report) {
    List<String> lines = new ArrayList<>(failures(report.operations()));
    lines.add(lag(report.lag()));
    lines.addAll(report.notes());
    return lines;
  }

  /** The table of the workers of a merged report. */
  static List<List<String>> workerRows(MergedReport report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "worker", "done", "failed", "done/s", "p50 ms", "p99 ms", "lag ms", "CPU", "seconds"));
    for (LoadReport worker : report.workers()) {
      WorkerState state = worker.state();
      OperationResult all = worker.all();
      rows.add(
          List.of(
              String.valueOf(state.worker()),
              text("%,d", all.latencies().getTotalCount()),
              text("%,d", all.failed()),
              text("%,.1f", all.donePerSecond()),
              percentile(all.latencies(), 50),
              percentile(all.latencies(), 99),
              // Other engines do not measure it.
              percentile(worker.lag(), 99),
              text("%.0f %%", state.cpuShare() * PERCENT),
              text("%.1f", state.seconds())));
    }
    for (int missing : report.missing()) {
      rows.add(List.of(String.valueOf(missing), "missing", "", "", "", "", "", "", ""));
    }
    return rows;
  }

  /** Prints the header of the steps of a search. */
  void stepHeader() {
    step(STEP_HEADER);
  }

  void print(RateSearch.Step step) {
    step(row(step));
    out.flush();
  }

  private void step(List<String> cells) {
    out.println(text("%9s %9s %9s %9s %8s %8s  %s", cells.toArray()).stripTrailing());
  }

  /** The table of the steps of a search. */
  static List<List<String>> stepRows(List<RateSearch.Step> steps) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(STEP_HEADER);
    steps.forEach(step -> rows.add(row(step)));
    return rows;
  }

  private static List<String> row(RateSearch.Step step) {
    OperationResult all = step.report().all();
    return List.of(
        text("%,.1f", step.rate()),
        text("%,.1f", all.donePerSecond()),
        percentile(all.latencies(), 50),
        percentile(all.latencies(), 99),
        text("%.2f %%", step.withinLimit() * PERCENT),
        percentile(step.report().lag(), 99),
        step.held() ? "held" : "not held");
  }

  /** Prints the header of the stages of a load. */
  void stageHeader() {
    out.println("  asked/s    done/s    p50 ms    p99 ms   failed   lag ms");
  }

  /** Prints a stage, whose rate was this. */
  void stage(double rate, LoadReport report) {
    OperationResult all = report.all();
    out.println(
        text(
            "%9s %9s %9s %9s %8s %8s",
            text("%,.1f", rate),
            text("%,.1f", all.donePerSecond()),
            percentile(all.latencies(), 50),
            percentile(all.latencies(), 99),
            text("%,d", all.failed()),
            percentile(report.lag(), 99)));
    out.flush();
  }

  /** Returns a line about a load that runs, for instance {@code 3 of 10 s, 200.0/s, p50 1.2 ms}. */
  static String live(LoadReport report, double seconds) {
    OperationResult all = report.all();
    return text(
        "%.0f of %.0f s, %,.1f/s, p50 %s ms, p99 %s ms, %,d failed",
        report.state().seconds(),
        seconds,
        all.donePerSecond(),
        percentile(all.latencies(), 50),
        percentile(all.latencies(), 99),
        all.failed());
  }

  void print(RateSearch.Result search) {
    out.println();
    out.println(summary(search));
    notes(search.notes());
  }

  /** Returns a search in one line. */
  static String summary(RateSearch.Result search) {
    return search.highest() > 0
        ? text("%s holds up to %,.1f/s", search.limit(), search.highest())
        : text("%s does not hold at any rate that was tried", search.limit());
  }

  private void operations(List<OperationResult> operations, OperationResult all) {
    table(operationRows(operations, all));
    failures(operations).forEach(out::println);
  }

  /** The table of a report. */
  static List<List<String>> operationRows(List<OperationResult> operations, OperationResult all) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADER);
    operations.forEach(operation -> rows.add(row(operation)));
    if (operations.size() > 1) {
      rows.add(row(all));
    }
    return rows;
  }

  private static List<String> failures(List<OperationResult> operations) {
    List<String> lines = new ArrayList<>();
    for (OperationResult operation : operations) {
      new TreeMap<>(operation.errors())
          .forEach(
              (kind, count) ->
                  lines.add(text("%s failed: %s %,d", operation.operation(), kind, count)));
    }
    return lines;
  }

  private static List<String> row(OperationResult result) {
    List<String> row = new ArrayList<>();
    Histogram latencies = result.latencies();
    row.add(result.operation());
    row.add(text("%,d", latencies.getTotalCount()));
    row.add(text("%,d", result.failed()));
    row.add(text("%,.1f", result.askedPerSecond()));
    row.add(text("%,.1f", result.donePerSecond()));
    row.add(text("%,.1f", result.bytesPerSecond() / BYTES_PER_MB));
    row.add(latencies.getTotalCount() == 0 ? NONE : millis(latencies.getMean()));
    for (double percentile : PERCENTILES) {
      row.add(percentile(latencies, percentile));
    }
    row.add(percentile(latencies, PERCENT));
    return row;
  }

  private static String lag(Histogram lag) {
    return lag.getTotalCount() == 0
        ? "start lag: not measured"
        : text(
            "start lag: p50 %s ms, p99 %s ms, max %s ms",
            millis(lag.getValueAtPercentile(50)),
            millis(lag.getValueAtPercentile(99)),
            millis(lag.getMaxValue()));
  }

  private void notes(List<String> notes) {
    notes.forEach(note -> out.println("note: " + note));
  }

  private void table(List<List<String>> rows) {
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        int cell = column;
        int width = rows.stream().mapToInt(r -> r.get(cell).length()).max().orElse(0);
        String padding = " ".repeat(width - row.get(column).length());
        line.append(column == 0 ? row.get(column) + padding : "  " + padding + row.get(column));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  /** Returns a percentile in milliseconds; nothing was measured if there is none. */
  private static String percentile(Histogram nanos, double percentile) {
    return nanos.getTotalCount() == 0 ? NONE : millis(nanos.getValueAtPercentile(percentile));
  }

  private static String millis(double nanos) {
    double millis = nanos / NANOS_PER_MILLI;
    return text(millis < FEW ? "%.3f" : millis < MANY ? "%.1f" : "%,.0f", millis);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
