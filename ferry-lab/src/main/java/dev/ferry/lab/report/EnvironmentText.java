package dev.ferry.lab.report;

import dev.ferry.lab.model.Disturbance;
import dev.ferry.lab.model.ForkFigures;
import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.RunDocument.SourceFile;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Describes the environment of a run in a few lines. */
final class EnvironmentText {
  private static final double GIB = 1L << 30;

  private EnvironmentText() {}

  static List<String> lines(RunDocument run) {
    Environment e = run.environment();
    SourceFile f = run.file();
    Settings s = run.settings();
    List<String> lines = new ArrayList<>();
    profiled(run).ifPresent(lines::add);
    busy(run).ifPresent(lines::add);
    lines.addAll(
        List.of(
            "Ferry %s (%s), %s".formatted(run.ferry().version(), run.ferry().commit(), e.os()),
            RootText.format(
                "%s, %d logical cores, %.1f GiB, kernel %s",
                e.cpu(), e.cores(), e.memoryBytes() / GIB, e.kernel()),
            "JDK %s, %s, %s, %s"
                .formatted(e.jdk(), e.vm(), e.collector(), String.join(" ", e.flags())),
            "Work folder on %s; load %s before, %s after; started %s"
                .formatted(e.fileSystem(), load(e.loadBefore()), load(e.loadAfter()), e.started()),
            RootText.format(
                "File %s, %,d bytes, %,d at gzip level 1, SHA-256 %s",
                f.name(), f.bytes(), f.gzip1Bytes(), f.sha256()),
            RootText.format(
                "Profile=%s  %sWarmup=%.1f to %.1f s, until little is compiled, and %d operations at"
                    + " least%s%s",
                run.profile(),
                forks(run),
                s.warmupMillis() / 1e3,
                s.maxWarmupMillis() / 1e3,
                s.warmupOperations(),
                run.rows().stream().anyMatch(r -> r.server() != null) ? "  Processes=2" : "",
                run.complete() ? "" : "  INCOMPLETE")));
    Environment server = run.server();
    if (server != null) {
      lines.add(server(server));
    }
    lines.addAll(NetworkText.lines(run));
    return lines;
  }

  /** Returns what was run, which is less than the profile has if the time was short. */
  private static String forks(RunDocument run) {
    List<List<ForkFigures>> rows =
        run.rows().stream().map(Row::forks).filter(forks -> !forks.isEmpty()).toList();
    return rows.isEmpty()
        ? ""
        : "ForksPerRow=%s  SamplesPerFork=%s  "
            .formatted(
                range(rows.stream().mapToInt(List::size)),
                range(rows.stream().flatMap(List::stream).mapToInt(ForkFigures::n)));
  }

  private static String range(IntStream numbers) {
    IntSummaryStatistics all = numbers.summaryStatistics();
    return all.getMin() == all.getMax()
        ? Integer.toString(all.getMin())
        : all.getMin() + " to " + all.getMax();
  }

  private static String server(Environment e) {
    return RootText.format(
        "Server on another machine: %s, %s, %d logical cores, %.1f GiB, kernel %s; JDK %s, %s;"
            + " work folder on %s; load %s before",
        e.os(),
        e.cpu(),
        e.cores(),
        e.memoryBytes() / GIB,
        e.kernel(),
        e.jdk(),
        e.vm(),
        e.fileSystem(),
        load(e.loadBefore()));
  }

  /** Returns a warning that the figures must not be quoted if a profiler was active. */
  static Optional<String> profiled(RunDocument run) {
    return Optional.ofNullable(run.profiler())
        .map(
            p ->
                "PROFILED with %s, which disturbs every figure of the rows; see profiles/"
                    .formatted(p.label()));
  }

  /** Returns a warning if other programs used a part of the machine while rows were measured. */
  static Optional<String> busy(RunDocument run) {
    Environment server = run.server();
    return Optional.ofNullable(run.others())
        .filter(others -> others > Disturbance.MOST_OTHERS)
        .map(
            others ->
                RootText.format(
                    "%s busy: other programs used %.0f %% of %s while the rows ran. An idle machine"
                        + " decides more.",
                    server == null ? "This machine was" : "Both machines together were",
                    100 * others,
                    server == null ? "it" : "them"));
  }

  private static String load(double value) {
    return value < 0 ? "unknown" : RootText.format("%.2f", value);
  }
}
