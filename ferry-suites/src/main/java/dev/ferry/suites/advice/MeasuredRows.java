package dev.ferry.suites.advice;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Unit;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.stats.Comparisons;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The rows of a run on one of its JDKs as the rules see them. */
final class MeasuredRows {
  /** The suites that move the run's file between two ends, one transfer at a time. */
  private static final Set<String> FILE_SUITES =
      Set.of("answer", "file-transfer", "file-transfer-short");

  private static final Set<String> FILE_TABLES =
      Set.of("download", "upload", "gzip-download", "gzip-upload");

  /** What users have: chunks of 64 KiB, not compressed. */
  private static final Map<String, String> USUAL =
      new TreeMap<>(Map.of("BufferSize", "65536", "UseCompression", "false"));

  /** The time of a fork beside its warm-up and its samples. */
  private static final double FORK_MILLIS = 2_000;

  /** Ceilings take a part of the time as well, and what is measured again. */
  private static final double LEAST_REPEATS = 1.5;

  private static final double MINUTE_MILLIS = 60_000;

  static final String CALLS = "connection-reuse";
  static final String STREAMS = "reply-shapes";
  static final String URL = "url";
  static final String GRPC = "grpc";

  /** The table of {@link #GRPC} of methods that stream bytes. */
  static final String STREAM = "stream";

  private final RunDocument run;
  private final String jdk;
  private final Criteria criteria;

  /**
   * Selects rows.
   *
   * @param jdk one of {@link #jdks}
   */
  MeasuredRows(RunDocument run, String jdk) {
    this.run = run;
    this.jdk = jdk;
    this.criteria = run.criteria();
  }

  /** Returns the JDKs as the rows name them; one that is empty if the user named none. */
  static List<String> jdks(RunDocument run) {
    return run.rows().stream().map(MeasuredRows::jdk).distinct().toList();
  }

  private static String jdk(Row row) {
    return row.parameters().getOrDefault(Jvms.JAVA, "");
  }

  /** Returns whether a rule is about the table of a row. */
  static boolean hasRule(RowKey row) {
    return isFiles(row) || Set.of(CALLS, STREAMS, URL, GRPC).contains(row.suite());
  }

  /** Returns whether a row moves the run's file, alone. */
  static boolean isFiles(RowKey row) {
    return FILE_SUITES.contains(row.suite()) && FILE_TABLES.contains(row.table());
  }

  RunDocument run() {
    return run;
  }

  /**
   * Returns the measured rows of a table of files at the setting that is nearest to what users
   * have: chunks of 64 KiB, not compressed.
   */
  List<Row> rows(String table) {
    return rows(row -> isFiles(row) && row.table().equals(table));
  }

  /** Returns the rows of {@link #rows} that a user can choose from. */
  List<Row> choices(String table) {
    return rows(table).stream().filter(Methods::isChoice).toList();
  }

  /** Returns the names of the tables of a suite. */
  List<String> tables(String suite) {
    return run.rows().stream()
        .map(Row::key)
        .filter(row -> row.suite().equals(suite))
        .map(RowKey::table)
        .distinct()
        .toList();
  }

  /** Returns the measured rows of a table of a suite at its first setting. */
  List<Row> rows(String suite, String table) {
    return rows(row -> row.suite().equals(suite) && row.table().equals(table));
  }

  private List<Row> rows(Predicate<RowKey> some) {
    // Equal tables of two suites do not do the same work.
    Map<RowKey, List<Row>> settings =
        run.rows().stream()
            .filter(r -> jdk(r).equals(jdk) && some.test(r.key()))
            .filter(r -> r.measured() && !r.isControl())
            .collect(
                Collectors.groupingBy(
                    r -> r.key().withMethod(""), LinkedHashMap::new, Collectors.toList()));
    return settings.entrySet().stream()
        // The first of those that differ from the usual one the least.
        .min(Comparator.comparingInt(setting -> unusual(setting.getKey()).size()))
        .map(Map.Entry::getValue)
        .orElse(List.of());
  }

  /** Returns the parameters of a row that users have otherwise, as {@code BufferSize=4096}. */
  static List<String> unusual(RowKey row) {
    return USUAL.entrySet().stream()
        .filter(usual -> row.parameters().containsKey(usual.getKey()))
        .filter(usual -> !usual.getValue().equals(row.parameters().get(usual.getKey())))
        .map(usual -> usual.getKey() + "=" + row.parameters().get(usual.getKey()))
        .toList();
  }

  /** Returns the row of a method in a table of files, at the same setting as {@link #rows}. */
  Optional<Row> row(String table, String method) {
    return rows(table).stream().filter(r -> r.method().equals(method)).findFirst();
  }

  Comparison compare(Row row, Row other) {
    return Comparisons.compare(row, other, true, criteria);
  }

  /** See {@link Comparisons#unbeaten}. */
  List<Row> unbeaten(List<Row> some) {
    return Comparisons.unbeaten(some, criteria);
  }

  /** Compares two rows although their codecs differ, for the question whether to compress. */
  Comparison compareCodecs(Row row, Row other) {
    return Comparisons.compareCodecs(row, other, criteria);
  }

  /**
   * Returns how long a run would have to be for three forks of each row of this one: what the run
   * said, or else an estimate from what was measured.
   */
  long minutesForVerdicts() {
    Long told = run.minutesForVerdicts();
    if (told != null) {
      return told;
    }
    RunDocument.Settings settings = run.settings();
    double millis =
        run.rows().stream()
            .filter(Row::measured)
            .mapToDouble(
                row ->
                    FORK_MILLIS
                        + settings.maxWarmupMillis()
                        + settings.samplesPerRound() * sampleMillis(row))
            .sum();
    return 1 + Math.round(Math.ceil(repeats() * Criteria.LEAST_FORKS * millis / MINUTE_MILLIS));
  }

  /** Returns how often a fork was measured. Each disturbance takes about as long as a fork. */
  private double repeats() {
    double forks = run.rows().stream().mapToInt(row -> row.forks().size()).sum();
    double disturbed = run.rows().stream().mapToInt(row -> row.disturbed().size()).sum();
    return Math.max(LEAST_REPEATS, 1 + disturbed / Math.max(1, forks));
  }

  private static double sampleMillis(Row row) {
    Load load = row.setup().load();
    double millis = row.time().unit().nanos() / Unit.MILLIS.nanos();
    return Methods.time(row) * millis * (load == null ? 1 : load.operations());
  }
}
