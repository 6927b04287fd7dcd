package dev.ferry.lab.stats;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.model.network.NetworkRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The rows of a run compared with those of an earlier run.
 *
 * @param obstacles what makes the runs incomparable; empty if they can be compared
 * @param differences what else differs between the runs
 * @param pairs the rows that both runs measured, in the order of the earlier run
 */
public record RunComparison(List<String> obstacles, List<String> differences, List<Pair> pairs) {
  public RunComparison {
    obstacles = List.copyOf(obstacles);
    differences = List.copyOf(differences);
    pairs = List.copyOf(pairs);
  }

  /**
   * A row in both runs.
   *
   * @param before the row of the earlier run
   * @param after the row of the later run
   * @param comparison the later row compared with the earlier one
   */
  public record Pair(Row before, Row after, Comparison comparison) {}

  /**
   * Compares two runs. The noise floor is the larger of the two.
   *
   * @param threshold the smallest relative difference that matters
   */
  public static RunComparison of(RunDocument before, RunDocument after, double threshold) {
    Criteria criteria = new Criteria(threshold, floor(before, after), 1);
    List<String> obstacles = new ArrayList<>();
    differ(obstacles, "machine", before, after, r -> machine(r.environment()));
    differ(obstacles, "server's machine", before, after, RunComparison::server);
    differ(obstacles, "file", before, after, r -> r.file().name() + " " + r.file().sha256());
    differ(obstacles, "network", before, after, RunComparison::network);
    for (RunDocument run : List.of(before, after)) {
      NetworkRun network = run.network();
      if (network != null && network.reason() != null) {
        obstacles.add((run == before ? "before, " : "after, ") + network.reason());
      }
    }
    List<Pair> pairs = new ArrayList<>();
    for (Row row : before.rows()) {
      after.rows().stream()
          .filter(r -> r.key().equals(row.key()) && r.measured() && row.measured())
          .findFirst()
          .ifPresent(r -> pairs.add(new Pair(row, r, compare(row, r, criteria))));
    }
    if (pairs.isEmpty()) {
      obstacles.add("they have no measured row in common");
    }
    List<String> differences = new ArrayList<>();
    differ(
        differences, "Ferry", before, after, r -> r.ferry().version() + " " + r.ferry().commit());
    differ(differences, "JDK", before, after, r -> r.environment().jdk());
    differ(differences, "VM", before, after, r -> r.environment().vm());
    differ(differences, "flags", before, after, r -> String.join(" ", r.environment().flags()));
    differ(differences, "system", before, after, r -> r.environment().os());
    differ(differences, "kernel", before, after, r -> r.environment().kernel());
    differ(differences, "work folder", before, after, r -> r.environment().fileSystem());
    differ(differences, "settings", before, after, r -> r.settings().toString());
    differ(differences, "profiler", before, after, r -> String.valueOf(r.profiler()));
    return new RunComparison(obstacles, differences, pairs);
  }

  private static Comparison compare(Row before, Row after, Criteria criteria) {
    return before.digest().equals(after.digest())
        ? Comparisons.compare(after, before, false, criteria)
        : Comparisons.none(
            before.method(),
            "the digest was %s before and %s after".formatted(before.digest(), after.digest()));
  }

  private static double floor(RunDocument... runs) {
    return Stream.of(runs)
        .map(RunDocument::criteria)
        .flatMap(Stream::ofNullable)
        .map(Criteria::floor)
        .flatMap(Stream::ofNullable)
        .max(Double::compare)
        .orElse(0.0);
  }

  private static String network(RunDocument run) {
    NetworkRun network = run.network();
    return network == null ? "loopback" : network.asked() + ", " + network.congestion();
  }

  private static String server(RunDocument run) {
    Environment server = run.server();
    return server == null ? "the client's" : machine(server);
  }

  private static String machine(Environment environment) {
    return environment.cpu() + ", " + environment.cores() + " cores";
  }

  private static void differ(
      List<String> lines,
      String what,
      RunDocument before,
      RunDocument after,
      Function<RunDocument, String> value) {
    String a = value.apply(before);
    String b = value.apply(after);
    if (!Objects.equals(a, b)) {
      lines.add("%s: %s before, %s after".formatted(what, a, b));
    }
  }

  /** Returns whether a row has this verdict. A/A rows do not count. */
  public boolean has(Verdict verdict) {
    return pairs.stream()
        .anyMatch(p -> !p.after().isControl() && p.comparison().verdict() == verdict);
  }
}
