package dev.ferry.suites.advice;

import dev.ferry.core.Digest;
import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.VerdictText;
import dev.ferry.suites.tls.ProviderParameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All rules of the advice, in the order of their sentences, and what is said of every run. A rule
 * says nothing if its rows were not measured, and states a difference only if the verdict is
 * decided.
 */
final class AdviceRules {
  private static final String DOWNLOAD = "download";
  private static final String UPLOAD = "upload";
  private static final String BARE = "ZeroCopyBare";
  private static final Set<Purpose> FILES = Set.of(Purpose.DOWNLOADS, Purpose.UPLOADS);
  private static final double WELL_COMPRESSED = 0.9;

  /**
   * A rule.
   *
   * @param purposes the purposes that it is about
   * @param sentence returns its sentence, or empty if its condition does not hold
   */
  record Rule(Set<Purpose> purposes, Function<Facts, Optional<String>> sentence) {}

  static final List<Rule> ALL =
      List.of(
          new Rule(
              Set.of(Purpose.DOWNLOADS),
              facts -> Choice.of("For downloads", facts, verified(facts, DOWNLOAD))),
          new Rule(
              Set.of(Purpose.UPLOADS),
              facts -> Choice.of("For uploads", facts, verified(facts, UPLOAD))),
          new Rule(FILES, AdviceRules::defaultClient),
          new Rule(FILES, AdviceRules::verifying),
          new Rule(FILES, AdviceRules::compressing),
          new Rule(Set.of(Purpose.SMALL_CALLS), facts -> ofSuite(facts, Facts.CALLS)),
          new Rule(Set.of(Purpose.STREAMS), facts -> ofSuite(facts, Facts.STREAMS)));

  private AdviceRules() {}

  private static List<Row> verified(Facts facts, String table) {
    return facts.rows(table).stream().filter(r -> !r.method().equals(BARE)).toList();
  }

  /**
   * Returns the decided comparisons of two rows by table, for downloads and uploads.
   *
   * @param rows returns the row of a table, or empty if it was not measured
   * @param others returns the row with which it is compared
   */
  private static Map<String, Comparison> decided(
      Function<String, Optional<Row>> rows,
      Function<String, Optional<Row>> others,
      BiFunction<Row, Row, Comparison> compare) {
    Map<String, Comparison> decided = new LinkedHashMap<>();
    for (String table : List.of(DOWNLOAD, UPLOAD)) {
      rows.apply(table)
          .flatMap(row -> others.apply(table).map(other -> compare.apply(row, other)))
          .filter(comparison -> comparison.verdict().decided())
          .ifPresent(comparison -> decided.put(table, comparison));
    }
    return decided;
  }

  /** Returns what a comparison costs or saves, for instance {@code 1.2 to 1.4 of the time}. */
  private static String part(Map.Entry<String, Comparison> decided, String middle) {
    return "%s of the time%s for %ss"
        .formatted(VerdictText.interval(decided.getValue().time()), middle, decided.getKey());
  }

  /** Says whether the client that most people write will do. */
  private static Optional<String> defaultClient(Facts facts) {
    Map<String, Comparison> decided =
        decided(
            table -> facts.row(table, "Default"),
            table -> facts.rows(table).stream().filter(Row::isBaseline).findFirst(),
            facts::compare);
    if (decided.isEmpty()) {
      return Optional.empty();
    }
    boolean slower = decided.values().stream().anyMatch(c -> c.verdict() == Verdict.SLOWER);
    return Optional.of(
        "%s: Default (grpc-java as most people write it) is %s."
            .formatted(
                slower ? "The default gRPC client will not do" : "The default gRPC client will do",
                decided.entrySet().stream()
                    .map(e -> VerdictText.of(e.getValue()) + " for " + e.getKey() + "s")
                    .collect(Collectors.joining(", and "))));
  }

  /**
   * Says what verifying costs. It cannot save time, so a verified row that is not slower shows no
   * cost, and nothing else.
   */
  private static Optional<String> verifying(Facts facts) {
    Map<String, Comparison> decided =
        decided(
            table -> facts.row(table, "ZeroCopy"), table -> facts.row(table, BARE), facts::compare);
    return decided.isEmpty()
        ? Optional.empty()
        : Optional.of(
            decided.entrySet().stream()
                .map(
                    e ->
                        e.getValue().verdict() == Verdict.SLOWER
                            ? "takes ZeroCopy to " + part(e, " without it")
                            : "shows no cost beyond the noise of this run for " + e.getKey() + "s")
                .collect(Collectors.joining(" and ", "Verifying" + byDigest(facts) + " ", ".")));
  }

  /** Returns {@code by CRC-32C} after a space; empty if the run does not name one digest. */
  private static String byDigest(Facts facts) {
    Set<String> digests =
        Stream.of(DOWNLOAD, UPLOAD)
            .flatMap(table -> facts.row(table, "ZeroCopy").stream())
            .map(row -> String.valueOf(row.setup().digest()))
            .collect(Collectors.toSet());
    return Stream.of(Digest.Algorithm.values())
        .filter(
            algorithm ->
                !digests.isEmpty()
                    && digests.stream().allMatch(each -> each.startsWith(algorithm.id())))
        .map(algorithm -> " by " + algorithm.label())
        .findFirst()
        .orElse("");
  }

  /** Says whether this file should be compressed. */
  private static Optional<String> compressing(Facts facts) {
    double part =
        (double) facts.run().file().gzip1Bytes() / Math.max(1, facts.run().file().bytes());
    String size =
        String.format(Locale.ROOT, "gzip at level 1 leaves %.0f %% of this file", part * 100);
    Map<String, Comparison> decided =
        decided(
            table -> facts.row("gzip-" + table, "ZeroCopy"),
            table -> facts.row(table, "ZeroCopy"),
            facts::compareCodecs);
    if (!decided.isEmpty()) {
      return Optional.of(
          decided.entrySet().stream()
              .map(e -> "takes ZeroCopy to " + part(e, ""))
              .collect(
                  Collectors.joining(
                      " and ",
                      "Compression ",
                      "; " + size + ", so a slow network may decide otherwise.")));
    }
    if (facts.rows(DOWNLOAD).isEmpty() && facts.rows(UPLOAD).isEmpty()) {
      return Optional.empty();
    }
    if (part > WELL_COMPRESSED) {
      return Optional.of("Do not compress: " + size + ".");
    }
    boolean measured =
        Stream.of(DOWNLOAD, UPLOAD)
            .anyMatch(table -> facts.row("gzip-" + table, "ZeroCopy").isPresent());
    return Optional.of(
        measured
            ? "Whether to compress is not decided; " + size + "."
            : "Whether to compress was not measured; "
                + size
                + ". ferry bench --suite answer --filter table=download --filter"
                + " table=gzip-download tells.");
  }

  /** Chooses a method in each table of a suite. */
  private static Optional<String> ofSuite(Facts facts, String suite) {
    List<String> sentences =
        facts.tables(suite).stream()
            .flatMap(table -> Choice.of("For " + table, facts, facts.rows(suite, table)).stream())
            .toList();
    return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", sentences));
  }

  /** Names the tables of a run that no rule is about; empty if there are none. */
  static Optional<String> withoutRules(RunDocument run) {
    Map<String, Set<String>> tables =
        run.rows().stream()
            .map(Row::key)
            .filter(row -> !Facts.hasRule(row))
            .collect(
                Collectors.groupingBy(
                    RowKey::suite,
                    LinkedHashMap::new,
                    Collectors.mapping(
                        RowKey::table, Collectors.toCollection(LinkedHashSet::new))));
    return tables.isEmpty()
        ? Optional.empty()
        : Optional.of(
            tables.entrySet().stream()
                .map(e -> String.join(", ", e.getValue()) + " of suite " + e.getKey())
                .collect(
                    Collectors.joining(
                        "; ",
                        "There is no rule for these tables; read their verdicts (ferry report): ",
                        ".")));
  }

  /** Says what the advice does not cover. */
  static String whatWouldChange(RunDocument run) {
    List<Comparison> open =
        run.rows().stream()
            .filter(r -> !r.isControl())
            .map(Row::comparison)
            .flatMap(Stream::ofNullable)
            .filter(c -> c.verdict() == Verdict.NOT_DECIDED)
            .toList();
    String more =
        open.isEmpty()
            ? ""
            : " %d of the comparisons %s not decided; a longer run (--time 30m) would decide more."
                .formatted(open.size(), open.size() == 1 ? "is" : "are");
    boolean tls = run.rows().stream().anyMatch(row -> ProviderParameter.isOf(row.key()));
    List<String> others = new ArrayList<>();
    others.add(
        run.network() == null && run.server() == null
            ? "A network with distance or less than this machine's speed"
            : "Another network");
    others.add(tls ? "plain text" : "TLS");
    String last = "other sizes of files";
    if (run.server() == null) {
      others.add(last);
      last = "a server on another machine";
    }
    return "%s and %s would change the answer.%s".formatted(String.join(", ", others), last, more);
  }
}
