package dev.ferry.suites.advice;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.VerdictText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All rules of the advice, in the order of their sentences. A rule says nothing if its rows were
 * not measured, and states a difference only if the verdict is decided.
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
          new Rule(Set.of(Purpose.SMALL_CALLS), facts -> ofSuites(facts, "connection-reuse")),
          new Rule(Set.of(Purpose.STREAMS), facts -> ofSuites(facts, "reply-shapes")),
          new Rule(Set.of(Purpose.values()), AdviceRules::whatWouldChange));

  private AdviceRules() {}

  private static List<Row> verified(Facts facts, String table) {
    return facts.rows(table).stream().filter(r -> !r.method().equals(BARE)).toList();
  }

  /** Says whether the client that most people write will do. */
  private static Optional<String> defaultClient(Facts facts) {
    List<String> clauses = new ArrayList<>();
    boolean slower = false;
    for (String table : List.of(DOWNLOAD, UPLOAD)) {
      Optional<Row> row = facts.row(table, "Default");
      Optional<Row> base = facts.rows(table).stream().filter(Row::isBaseline).findFirst();
      if (row.isPresent() && base.isPresent()) {
        Comparison comparison = facts.compare(row.get(), base.get());
        slower |= comparison.verdict() == Verdict.SLOWER;
        if (comparison.verdict().decided()) {
          clauses.add(VerdictText.of(comparison) + " for " + table + "s");
        }
      }
    }
    return clauses.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s: Default (grpc-java as most people write it) is %s."
                .formatted(
                    slower
                        ? "The default gRPC client will not do"
                        : "The default gRPC client will do",
                    String.join(", and ", clauses)));
  }

  private static Optional<String> verifying(Facts facts) {
    List<String> clauses = new ArrayList<>();
    for (String table : List.of(DOWNLOAD, UPLOAD)) {
      Optional<Row> row = facts.row(table, "ZeroCopy");
      Optional<Row> bare = facts.row(table, BARE);
      if (row.isPresent() && bare.isPresent()) {
        Comparison comparison = facts.compare(row.get(), bare.get());
        if (comparison.verdict().decided()) {
          clauses.add(
              "%s of the time without it for %ss"
                  .formatted(VerdictText.interval(comparison.time()), table));
        }
      }
    }
    return clauses.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Verifying by SHA-256 takes ZeroCopy to " + String.join(" and ", clauses) + ".");
  }

  /** Says whether this file should be compressed. */
  private static Optional<String> compressing(Facts facts) {
    double part =
        (double) facts.run().file().gzip1Bytes() / Math.max(1, facts.run().file().bytes());
    String size =
        String.format(Locale.ROOT, "gzip at level 1 leaves %.0f %% of this file", part * 100);
    List<String> clauses = new ArrayList<>();
    for (String table : List.of(DOWNLOAD, UPLOAD)) {
      Optional<Row> plain = facts.row(table, "ZeroCopy");
      Optional<Row> gzip = facts.row("gzip-" + table, "ZeroCopy");
      if (plain.isPresent() && gzip.isPresent()) {
        Comparison comparison = facts.compareCodecs(gzip.get(), plain.get());
        if (comparison.verdict().decided()) {
          clauses.add(
              "takes ZeroCopy to %s of the time for %ss"
                  .formatted(VerdictText.interval(comparison.time()), table));
        }
      }
    }
    if (!clauses.isEmpty()) {
      return Optional.of(
          "Compression "
              + String.join(" and ", clauses)
              + "; "
              + size
              + ", so a slow network may"
              + " decide otherwise.");
    }
    if (facts.rows(DOWNLOAD).isEmpty() && facts.rows(UPLOAD).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        part > WELL_COMPRESSED
            ? "Do not compress: " + size + "."
            : "Whether to compress was not measured; "
                + size
                + ". ferry bench --suite answer --filter table=gzip-download tells.");
  }

  /** Chooses a method in each table of a suite. */
  private static Optional<String> ofSuites(Facts facts, String suite) {
    List<String> sentences =
        facts.run().rows().stream()
            .filter(r -> r.key().suite().equals(suite))
            .map(r -> r.key().table())
            .distinct()
            .flatMap(table -> Choice.of("For " + table, facts, facts.rows(table)).stream())
            .toList();
    return sentences.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", sentences));
  }

  private static Optional<String> whatWouldChange(Facts facts) {
    List<Comparison> open =
        facts.run().rows().stream()
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
    return Optional.of(
        "A network with distance or less than this machine's speed, TLS, other sizes of files and"
            + " a server on another machine would change the answer."
            + more);
  }
}
