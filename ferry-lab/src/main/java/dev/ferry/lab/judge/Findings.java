package dev.ferry.lab.judge;

import dev.ferry.lab.model.RootText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the figures of a table show of their own quality. Each finding is a sentence. */
final class Findings {
  /** The rule of the reports' own readers: a larger error is worth a warning. */
  private static final double LARGE_ERROR = 0.1;

  /** BenchmarkDotNet looks for several modes only from this number of samples on. */
  private static final int FEW_SAMPLES = 15;

  private static final double TIMER_VARIATION = 0.000_5;
  private static final double SAME_TIME = 0.005;
  private static final double PRECISE_ERROR = 0.02;
  private static final double OTHER_ALLOCATION = 1.5;
  private static final double PRINTED_RATIO = 0.1;
  private static final double SKEWED = 0.1;
  private static final int NAMED_ROWS = 3;

  private final PublishedTable table;
  private final List<PublishedRow> measured;
  private final List<String> sentences = new ArrayList<>();

  private Findings(PublishedTable table) {
    this.table = table;
    this.measured = table.rows().stream().filter(r -> r.mean() != null).toList();
  }

  /** Returns the findings of a table. */
  static List<String> of(PublishedTable table) {
    Findings findings = new Findings(table);
    table.faults().forEach(f -> findings.sentences.add("Not read: " + f + "."));
    findings.missing();
    findings.samples();
    findings.errors();
    findings.ratios();
    findings.timers();
    findings.bottlenecks();
    findings.sentences.addAll(Text.findings(table));
    return findings.sentences;
  }

  private void missing() {
    say(
        table.rows().stream().filter(r -> r.mean() == null).toList(),
        "%s: no figure, so nothing can be said of it.",
        PublishedRow::name);
    say(
        measured.stream().filter(r -> r.error() == null).toList(),
        "%s: no Error, so no difference can be decided.",
        PublishedRow::name);
    say(
        measured.stream().filter(PublishedRow::isApproximate).toList(),
        "%s: the table says that the mean is not exact, so no difference can be decided.",
        PublishedRow::name);
    say(
        measured.stream().filter(r -> r.stdDev() == null).toList(),
        "%s: no StdDev, so the number of samples is unknown.",
        PublishedRow::name);
    say(
        table.grouping().groups().stream()
            .filter(g -> g.base() == null)
            .flatMap(g -> g.rows().stream())
            .toList(),
        "%s: the group has no baseline with a figure, so nothing is compared.",
        PublishedRow::name);
    say(
        measured.stream().filter(r -> Claims.mean(r) == 0).toList(),
        "%s: the mean is 0, so nothing can be compared with it.",
        PublishedRow::name);
  }

  private void samples() {
    Map<PublishedRow, SampleCount> counts = new LinkedHashMap<>();
    for (PublishedRow row : measured) {
      SampleCount count = SampleCount.of(row);
      if (count != null) {
        counts.put(row, count);
      }
    }
    Map<String, List<PublishedRow>> removed = new LinkedHashMap<>();
    Map<Integer, List<PublishedRow>> few = new LinkedHashMap<>();
    for (PublishedRow row : measured) {
      Integer asked = table.samples(row);
      int least = table.leastSamples(row);
      if (counts.containsKey(row) && count(counts, row).most() < least) {
        removed
            .computeIfAbsent(
                least + " iterations" + (asked == null ? " at least" : ""), n -> new ArrayList<>())
            .add(row);
      }
      if (asked != null && asked < FEW_SAMPLES) {
        few.computeIfAbsent(asked, n -> new ArrayList<>()).add(row);
      }
    }
    removed.forEach(
        (asked, rows) ->
            say(
                rows,
                "Samples were removed as outliers from %s, of "
                    + asked
                    + "; Error and StdDev do not count them.",
                r -> r.name() + " (N = " + count(counts, r) + ")"));
    few.forEach(
        (asked, rows) -> {
          String row = rows.size() == measured.size() ? "a row" : "in %s";
          say(
              rows,
              asked
                  + " iterations "
                  + row
                  + ": too few to see whether a distribution has several modes.",
              PublishedRow::name);
        });
  }

  private static SampleCount count(Map<PublishedRow, SampleCount> counts, PublishedRow row) {
    return Objects.requireNonNull(counts.get(row));
  }

  private void errors() {
    sayWorst(LARGE_ERROR, PublishedRow::relativeError, "Error is above 10 %% of Mean in %s.");
    sayWorst(
        SKEWED,
        Findings::skew,
        "Mean and Median differ by more than 10 %% in %s: few samples decide the mean.");
  }

  private static @Nullable Double skew(PublishedRow row) {
    Figure median = row.median();
    return median == null || row.mean() == null || median.value() == 0
        ? null
        : (Double) Math.abs(Claims.mean(row) / median.value() - 1);
  }

  private void ratios() {
    if (!table.grouping().explained()) {
      return;
    }
    say(
        bases().stream()
            .filter(r -> r.ratio() != null && r.ratio().value() != 1)
            .sorted(Comparator.comparing(r -> -Objects.requireNonNull(r.ratio()).value()))
            .toList(),
        "The printed Ratio of the baseline is not 1.00 in %s: it is a mean of quotients, which"
            + " noise makes larger.",
        r -> "%s (%s)".formatted(r.name(), number(Objects.requireNonNull(r.ratio()).value())));
    Map<PublishedRow, Double> wrong = new LinkedHashMap<>();
    pairs(
        table,
        (row, base) -> {
          Figure printed = row.ratio();
          double quotient = Claims.quotient(row, base);
          if (printed != null
              && Double.isFinite(quotient)
              && Math.abs(printed.value() / quotient - 1) > PRINTED_RATIO + Claims.noise(row, base)
              && Math.abs(printed.value() - quotient) > 2 * printed.rounding()) {
            wrong.put(row, quotient);
          }
        });
    say(
        List.copyOf(wrong.keySet()),
        "The printed Ratio differs from that of the means by more than 10 %% in %s.",
        r ->
            "%s (%s printed, %s by the means)"
                .formatted(
                    r.name(),
                    number(Objects.requireNonNull(r.ratio()).value()),
                    number(Objects.requireNonNull(wrong.get(r)))));
  }

  private void timers() {
    say(
        measured.stream().filter(r -> isTimer(table, r)).toList(),
        "StdDev is below 0.05 %% of Mean in %s: no network or disk is that regular. A timer decides"
            + " this time, and not the work.",
        PublishedRow::name);
  }

  /** Returns whether the time of a row that uses a network or a disk is too regular for that. */
  static boolean isTimer(PublishedTable table, PublishedRow row) {
    Figure stdDev = row.stdDev();
    return stdDev != null
        && row.mean() != null
        && (stdDev.value() + stdDev.rounding()) / Claims.mean(row) < TIMER_VARIATION
        && Text.doesInputOrOutput(table);
  }

  private void bottlenecks() {
    List<PublishedRow> equal = new ArrayList<>();
    pairs(
        table,
        (row, base) -> {
          if (Math.abs(Claims.quotient(row, base) - 1) <= SAME_TIME
              && isPrecise(row)
              && isPrecise(base)
              && allocatesDifferently(row, base)) {
            equal.add(row);
          }
        });
    say(
        equal,
        "%s: within 0.5 %% of the row it is compared with. Something that both share may decide the"
            + " time.",
        PublishedRow::name);
  }

  private static boolean isPrecise(PublishedRow row) {
    Double error = row.relativeError();
    return error != null && error < PRECISE_ERROR;
  }

  private static boolean allocatesDifferently(PublishedRow a, PublishedRow b) {
    Figure x = a.allocated();
    Figure y = b.allocated();
    return x == null
        || y == null
        || Math.max(x.value(), y.value()) > OTHER_ALLOCATION * Math.min(x.value(), y.value());
  }

  private List<PublishedRow> bases() {
    return table.grouping().groups().stream().flatMap(g -> Stream.ofNullable(g.base())).toList();
  }

  /** Passes each row and the one that it is compared with on. */
  static void pairs(PublishedTable table, BiConsumer<PublishedRow, PublishedRow> pair) {
    for (Grouping.Group group : table.grouping().groups()) {
      PublishedRow base = group.base();
      if (base != null) {
        group.rows().stream().filter(r -> r != base).forEach(r -> pair.accept(r, base));
      }
    }
  }

  private void sayWorst(
      double limit, Function<PublishedRow, @Nullable Double> figure, String sentence) {
    Map<PublishedRow, Double> above = new LinkedHashMap<>();
    for (PublishedRow row : measured) {
      Double value = figure.apply(row);
      if (value != null && value > limit) {
        above.put(row, value);
      }
    }
    say(
        above.entrySet().stream()
            .sorted(Map.Entry.<PublishedRow, Double>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList(),
        sentence,
        r -> RootText.format("%s (%.0f %%)", r.name(), 100 * Objects.requireNonNull(above.get(r))));
  }

  private void say(
      List<PublishedRow> rows, String sentence, Function<PublishedRow, String> describe) {
    if (!rows.isEmpty()) {
      String named =
          rows.stream().limit(NAMED_ROWS).map(describe).collect(Collectors.joining(", "));
      sentences.add(
          sentence.formatted(
              rows.size() <= NAMED_ROWS
                  ? named
                  : rows.size() + " of " + table.rows().size() + " rows (" + named + ", ...)"));
    }
  }

  static String number(double value) {
    return !Double.isFinite(value) ? "-" : RootText.format("%.2f", value);
  }
}
