package dev.ferry.lab.report;

import dev.ferry.lab.model.DisturbedFork;
import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.stats.Ceilings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The notes on a table. */
final class TableNotes {
  /** More rows of which the same is said are counted. */
  private static final int MOST_NAMES = 6;

  private TableNotes() {}

  /**
   * One paragraph.
   *
   * @param trouble whether it states why rows failed or were skipped
   */
  record Note(String text, boolean trouble) {}

  /** Returns all notes in the order of a report. The first one summarizes the table. */
  static List<Note> of(Tables.Section table) {
    List<String> says = new ArrayList<>();
    says.add(TableSummary.of(table));
    says.addAll(beyondMean(table));
    says.addAll(withoutRatio(table));
    says.addAll(digests(table));
    says.addAll(flags(table));
    says.addAll(disturbed(table));
    says.addAll(beyondCeiling(table));
    List<Note> notes = new ArrayList<>();
    says.forEach(text -> notes.add(new Note(text, false)));
    troubles(table).forEach(text -> notes.add(new Note(text, true)));
    return notes;
  }

  /** Returns what people call the methods of rows, a line for each that has a name. */
  static List<String> names(List<Row> rows) {
    Map<String, Set<String>> names = new LinkedHashMap<>();
    Set<String> lines = new LinkedHashSet<>();
    List<Row> named = rows.stream().filter(row -> row.name() != null).toList();
    for (Row row : named) {
      names
          .computeIfAbsent(row.method(), method -> new LinkedHashSet<>())
          .add(String.valueOf(row.name()));
    }
    for (Row row : named) {
      boolean one = names.getOrDefault(row.method(), Set.of()).size() == 1;
      lines.add(row.method() + (one ? "" : " in " + row.key().table()) + ": " + row.name());
    }
    return List.copyOf(lines);
  }

  /** Returns why rows failed or were skipped, one line for each reason. */
  static List<String> troubles(Tables.Section table) {
    Map<String, List<String>> failed = new LinkedHashMap<>();
    Map<String, Integer> skipped = new LinkedHashMap<>();
    for (Row row : table.rows()) {
      String reason = String.valueOf(row.reason());
      if (row.status() == Status.FAILED) {
        failed.computeIfAbsent(reason, r -> new ArrayList<>()).add(row.key().toString());
      } else if (row.status() == Status.SKIPPED) {
        skipped.merge(row.method() + ": " + reason, 1, Integer::sum);
      }
    }
    List<String> lines = new ArrayList<>();
    failed.forEach((why, rows) -> lines.add("Failed: " + some(rows) + ": " + why));
    skipped.forEach(
        (why, rows) -> lines.add("Skipped, " + rows + (rows == 1 ? " row: " : " rows: ") + why));
    return lines;
  }

  private static String some(List<String> rows) {
    return rows.size() <= MOST_NAMES
        ? String.join("; ", rows)
        : String.join("; ", rows.subList(0, MOST_NAMES))
            + "; and %d more".formatted(rows.size() - MOST_NAMES);
  }

  /** Returns which rows have no error because it would exceed the mean. */
  private static List<String> beyondMean(Tables.Section table) {
    List<String> rows =
        table.rows().stream()
            .filter(Cells::isBeyondMean)
            .map(
                row ->
                    "%s, %s (%d forks)"
                        .formatted(row.method(), TableSummary.setting(row), row.forks().size()))
            .toList();
    return rows.isEmpty()
        ? List.of()
        : List.of("No Error, since it would exceed the mean: " + some(rows));
  }

  /** Returns why rows have no ratio although they and their baseline have figures. */
  private static List<String> withoutRatio(Tables.Section table) {
    Set<String> lines = new LinkedHashSet<>();
    for (List<Row> group : table.groups()) {
      for (Row base : group) {
        if (base.isBaseline() && base.measured()) {
          group.stream()
              .filter(
                  r ->
                      r.measured()
                          && r.time().ratio() == null
                          && !r.setup().codec().equals(base.setup().codec()))
              .forEach(r -> lines.add(withoutRatio(r, base)));
        }
      }
    }
    return List.copyOf(lines);
  }

  private static String withoutRatio(Row row, Row base) {
    return "No ratio where %s compresses by %s and %s by %s: that is not the same work."
        .formatted(row.method(), row.setup().codec(), base.method(), base.setup().codec());
  }

  /** Returns which forks were disturbed. */
  private static List<String> disturbed(Tables.Section table) {
    List<String> lines = new ArrayList<>();
    Set<String> repeated = new LinkedHashSet<>();
    for (Row row : table.rows()) {
      for (DisturbedFork fork : row.disturbed()) {
        String name =
            row.method() + ", " + TableSummary.setting(row) + ", round " + (fork.round() + 1);
        if (fork.repeated()) {
          repeated.add(name);
        } else {
          lines.add(
              "%s fork of %s: %s"
                  .formatted(
                      fork.samples() == null ? "Kept the disturbed" : "Replaced",
                      name,
                      fork.reason()));
        }
      }
    }
    if (!repeated.isEmpty()) {
      lines.add(
          "Took the samples again in the same fork, because the compiler ran beside them: "
              + String.join("; ", repeated));
    }
    return lines;
  }

  /** Returns which rows were faster than their ceilings, which makes the ceilings invalid. */
  private static List<String> beyondCeiling(Tables.Section table) {
    List<String> lines = new ArrayList<>();
    for (Row row : table.rows()) {
      Double times = row.bound().times();
      if (times != null && times < Ceilings.INVALID_BELOW) {
        lines.add(
            RootText.format(
                "%s was faster than its ceiling %s at %s (%.2fx): the ceiling is not the lower"
                    + " bound here",
                row.method(), row.bound().ceiling(), TableSummary.setting(row), times));
      }
    }
    return lines;
  }

  /** Returns which rows were verified, and who computed the digest. */
  private static List<String> digests(Tables.Section table) {
    Map<String, Set<String>> methods = new LinkedHashMap<>();
    for (Row row : table.rows()) {
      if (!row.setup().digest().equals(Row.Setup.NO_DIGEST)) {
        methods.computeIfAbsent(row.setup().digest(), d -> new LinkedHashSet<>()).add(row.method());
      }
    }
    return methods.entrySet().stream()
        .map(e -> "Verified by " + e.getKey() + ": " + String.join(", ", e.getValue()))
        .toList();
  }

  /** Returns which methods had additional JVM flags. */
  private static List<String> flags(Tables.Section table) {
    Map<List<String>, Set<String>> methods = new LinkedHashMap<>();
    for (Row row : table.rows()) {
      if (!row.setup().flags().isEmpty()) {
        methods.computeIfAbsent(row.setup().flags(), f -> new LinkedHashSet<>()).add(row.method());
      }
    }
    return methods.entrySet().stream()
        .map(
            e ->
                "JVM flags of "
                    + String.join(", ", e.getValue())
                    + " beside those above: "
                    + String.join(" ", e.getKey()))
        .toList();
  }
}
