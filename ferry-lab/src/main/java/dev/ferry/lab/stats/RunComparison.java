package dev.ferry.lab.stats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.model.network.NetworkRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a run compared with those of an earlier run.
 *
 * <p>The intervals hold for all rows together with 95 %, by Bonferroni's correction: of two runs of
 * the same program, at most one in twenty has a row that is called faster or slower.
 *
 * @param obstacles what makes the runs incomparable; empty if they can be compared
 * @param differences what else differs between the runs
 * @param criteria the criteria of the verdicts; the noise floor is the largest of both runs
 * @param pairs the rows that both runs measured, in the order of the earlier run
 */
public record RunComparison(
    List<String> obstacles, List<String> differences, Criteria criteria, List<Pair> pairs) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** More names than this are counted. */
  private static final int MOST_NAMED = 6;

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
  public record Pair(Row before, Row after, Comparison comparison) {
    /** Returns the ratio of the times; null if there are too few forks for evidence. */
    public @Nullable Interval time() {
      return Comparisons.forks(after, before) < Criteria.LEAST_FORKS ? null : comparison.time();
    }

    private Pair with(Interval time, Criteria criteria) {
      return new Pair(
          before,
          after,
          new Comparison(
              comparison.with(),
              Comparisons.verdict(time, criteria),
              comparison.reason(),
              time,
              comparison.cpu(),
              comparison.heap(),
              null));
    }
  }

  /**
   * Compares two runs.
   *
   * @param threshold the smallest relative difference that matters
   */
  public static RunComparison of(RunDocument before, RunDocument after, double threshold) {
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
    List<Pair> pairs = pairs(before, after);
    List<Pair> timed = pairs.stream().filter(pair -> pair.time() != null).toList();
    int judged = (int) timed.stream().filter(RunComparison::isJudged).count();
    Criteria criteria =
        new Criteria(threshold, floor(before, after), judged, floors(before, after));
    ForkSpread spread = ForkSpread.of(timed);
    pairs.replaceAll(
        pair ->
            pair.time() == null
                ? pair
                : pair.with(
                    spread.ratio(pair, criteria.confidence()),
                    criteria.of(pair.after().key(), pair.before().key())));
    if (pairs.isEmpty()) {
      obstacles.add("they have no measured row in common");
    } else if (judged == 0) {
      obstacles.add(
          "no row has three forks in both runs, and fewer are no evidence; a longer --time makes"
              + " more");
    }
    for (Row row : after.rows()) {
      if (row.status() == Status.FAILED
          && before.rows().stream().anyMatch(r -> r.key().equals(row.key()) && r.measured())) {
        obstacles.add(
            "%s was measured before and failed after: %s".formatted(row.key(), row.reason()));
      }
    }
    return new RunComparison(obstacles, differences(before, after, pairs), criteria, pairs);
  }

  private static List<Pair> pairs(RunDocument before, RunDocument after) {
    List<Pair> pairs = new ArrayList<>();
    for (Row row : before.rows()) {
      after.rows().stream()
          .filter(r -> r.key().equals(row.key()) && r.measured() && row.measured())
          .findFirst()
          .ifPresent(r -> pairs.add(new Pair(row, r, compare(row, r))));
    }
    return pairs;
  }

  private static List<String> differences(RunDocument before, RunDocument after, List<Pair> pairs) {
    List<String> lines = new ArrayList<>();
    differ(lines, "Ferry", before, after, r -> r.ferry().version() + " " + r.ferry().commit());
    differ(lines, "JDK", before, after, r -> r.environment().jdk());
    differ(lines, "VM", before, after, r -> r.environment().vm());
    differInPart(lines, "flags", before, after, r -> r.environment().flags());
    differ(lines, "system", before, after, r -> r.environment().os());
    differ(lines, "kernel", before, after, r -> r.environment().kernel());
    differ(lines, "work folder", before, after, r -> r.environment().fileSystem());
    for (Map.Entry<String, JsonNode> setting : settings(before).properties()) {
      String name = setting.getKey();
      differ(lines, name, before, after, r -> settings(r).path(name).asText());
    }
    differ(lines, "profiler", before, after, r -> String.valueOf(r.profiler()));
    differ(lines, "run", before, after, r -> r.complete() ? "complete" : "ended early");
    for (Pair pair : pairs) {
      differ(lines, "processes", pair, setup -> Integer.toString(setup.processes()));
      differ(lines, "codec", pair, Row.Setup::codec);
      differ(
          lines,
          "flags of rows",
          pair,
          setup -> setup.flags().isEmpty() ? "none" : String.join(" ", setup.flags()));
    }
    differInPart(lines, "rows", before, after, RunComparison::measured);
    // Most rows differ alike.
    return lines.stream().distinct().toList();
  }

  /** Returns the settings of a run by the names that they have in its document. */
  private static JsonNode settings(RunDocument run) {
    return JSON.valueToTree(run.settings());
  }

  private static List<String> measured(RunDocument run) {
    return run.rows().stream().filter(Row::measured).map(r -> r.key().toString()).toList();
  }

  private static Comparison compare(Row before, Row after) {
    return before.setup().digest().equals(after.setup().digest())
        ? Comparisons.compare(after, before, false, Criteria.DEFAULT)
        : Comparisons.none(
            before.method(),
            "the digest was %s before and %s after"
                .formatted(before.setup().digest(), after.setup().digest()));
  }

  private static @Nullable Double floor(RunDocument... runs) {
    return Stream.of(runs)
        .map(run -> run.criteria().floor())
        .flatMap(Stream::ofNullable)
        .max(Double::compare)
        .orElse(null);
  }

  /** Of the tables of which both runs tell it; null if one run has the same for all tables. */
  private static @Nullable Map<String, Double> floors(RunDocument before, RunDocument after) {
    Map<String, Double> one = before.criteria().floors();
    Map<String, Double> other = after.criteria().floors();
    if (one == null || other == null) {
      return null;
    }
    Map<String, Double> both = new LinkedHashMap<>();
    one.forEach(
        (table, floor) -> {
          Double second = other.get(table);
          if (second != null) {
            both.put(table, Math.max(floor, second));
          }
        });
    return both;
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
    differ(lines, what, value.apply(before), value.apply(after));
  }

  private static void differ(
      List<String> lines, String what, Pair pair, Function<Row.Setup, String> value) {
    differ(lines, what, value.apply(pair.before().setup()), value.apply(pair.after().setup()));
  }

  private static void differ(List<String> lines, String what, String before, String after) {
    if (!before.equals(after)) {
      lines.add("%s %s before, %s after".formatted(what, before, after));
    }
  }

  /** Says what of a list only one run has. */
  private static void differInPart(
      List<String> lines,
      String what,
      RunDocument before,
      RunDocument after,
      Function<RunDocument, List<String>> values) {
    differ(
        lines,
        what,
        before,
        after,
        run -> {
          List<String> own = new ArrayList<>(values.apply(run));
          own.removeAll(values.apply(run == before ? after : before));
          return own.isEmpty()
              ? "none"
              : own.size() > MOST_NAMED ? own.size() + " of them" : String.join(", ", own);
        });
  }

  private static boolean isNotComparable(Pair pair) {
    return pair.comparison().verdict() == Verdict.NOT_COMPARABLE;
  }

  private static boolean isJudged(Pair pair) {
    return !pair.after().isControl() && pair.time() != null;
  }

  /** Returns the pairs that are judged: all but A/A rows, and those with too few forks. */
  public List<Pair> judged() {
    return pairs.stream().filter(RunComparison::isJudged).toList();
  }

  /** Returns the rows that can be compared, but are not judged because they have too few forks. */
  public List<Pair> unjudged() {
    return pairs.stream()
        .filter(p -> !p.after().isControl() && !isJudged(p) && !isNotComparable(p))
        .toList();
  }

  /** Returns whether a row has this verdict. A/A rows do not count. */
  public boolean has(Verdict verdict) {
    return pairs.stream()
        .anyMatch(p -> !p.after().isControl() && p.comparison().verdict() == verdict);
  }

  /**
   * Returns the row that may have become slower by more than all others; empty if none is judged.
   */
  public Optional<Pair> slowest() {
    return judged().stream()
        .max(Comparator.comparingDouble(p -> Objects.requireNonNull(p.time()).high()));
  }

  /** Returns the rows of which it is possible that they are slower by more than the threshold. */
  public List<Pair> perhapsSlower() {
    return pairs.stream()
        .filter(p -> !p.after().isControl())
        .filter(
            p -> {
              Interval time = p.time();
              return time == null || time.high() > 1 + criteria.threshold();
            })
        .toList();
  }
}
