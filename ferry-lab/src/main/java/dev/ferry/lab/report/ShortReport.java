package dev.ferry.lab.report;

import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Renders what a reader in a terminal of 80 columns needs of a run: the answer, the figures by
 * which to choose, and some sentences. {@link TextReport} has the rest.
 */
public final class ShortReport {
  private static final int MOST_SENTENCES = 8;

  private static final int COLUMNS = 80;

  private static final String GAP = "  ";
  private static final String VERDICT = "Verdict";

  /** The figures by which to choose. */
  static final List<String> HEAD =
      List.of("Method", "Time", "Ratio", VERDICT, "CPU", "Heap", "Forks");

  private ShortReport() {}

  /** Renders a run that has ended. Its first line is the answer. */
  public static String render(RunDocument run) {
    List<String> lines = new ArrayList<>(run.advice().stream().limit(1).toList());
    lines.addAll(warnings(run));
    lines.addAll(table(run, null));
    List<String> names = TableNotes.names(run.rows());
    if (!names.isEmpty()) {
      lines.add("");
      lines.addAll(names);
    }
    if (run.rows().stream().anyMatch(row -> row.isControl() && row.measured())) {
      lines.add("");
      lines.add("A/A is the baseline measured again; differences as small as its own are noise.");
    }
    List<String> troubles =
        Tables.of(run).stream().flatMap(t -> TableNotes.troubles(t).stream()).toList();
    List<String> more = run.advice().stream().skip(1).limit(MOST_SENTENCES).toList();
    if (!troubles.isEmpty() || !more.isEmpty()) {
      lines.add("");
      lines.addAll(troubles);
      more.forEach(sentence -> lines.add("- " + sentence));
    }
    return String.join("\n", lines);
  }

  /** Returns why the figures of a run must be taken with care, a line each. */
  public static List<String> warnings(RunDocument run) {
    List<String> lines = new ArrayList<>();
    EnvironmentText.profiled(run).ifPresent(lines::add);
    EnvironmentText.busy(run).ifPresent(lines::add);
    if (!run.complete()) {
      lines.add("This run ended early: it has only what was measured until then.");
    }
    return lines;
  }

  /**
   * Returns the tables of the rows that have run, the fastest first, each after an empty line.
   *
   * @param only a row of the only setting to show; null to show all
   */
  public static List<String> table(RunDocument run, @Nullable RowKey only) {
    List<String> lines = new ArrayList<>();
    for (Tables.Section table : Tables.of(run)) {
      for (List<Row> group : table.groups()) {
        List<Row> ran =
            group.stream()
                .filter(row -> run.complete() || row.status() != Status.SKIPPED)
                .sorted(Tables.FASTEST_FIRST)
                .toList();
        RowKey any = group.get(0).key();
        if (!ran.isEmpty() && (only == null || any.sameGroup(only))) {
          lines.add("");
          lines.add(title(any));
          lines.addAll(
              text(
                  Stream.concat(
                          Stream.of(HEAD), ran.stream().map(row -> cells(row, run.complete())))
                      .toList()));
        }
      }
    }
    return lines;
  }

  private static String title(RowKey any) {
    return any.table() + (any.parameters().isEmpty() ? "" : " (" + any.setting() + ")");
  }

  /**
   * Returns the cells of a row, one for each of {@link #HEAD}.
   *
   * @param complete whether the run has ended
   */
  static List<String> cells(Row row, boolean complete) {
    Double time = row.typicalTime();
    return List.of(
        row.method(),
        row.measured() && time != null ? Figures.time(row, time) : label(row.status()),
        row.isBaseline() ? "baseline" : Cells.number(row.time().ratio(), "%.2f"),
        verdict(row, complete),
        Figures.cpu(row),
        Figures.heap(row.memory().allocatedBytes()),
        Integer.toString(row.forks().size()));
  }

  private static String label(Status status) {
    return status.name().toLowerCase(Locale.ROOT);
  }

  /** An A/A row is the baseline again, so its ratio is noise and no verdict. */
  private static String verdict(Row row, boolean complete) {
    Comparison comparison = row.comparison();
    // Until a run has ended, a baseline may be missing that will be there.
    boolean waits = !complete && row.time().ratio() == null;
    if (comparison == null || !row.measured() || waits) {
      return Figures.NONE;
    }
    if (comparison.verdict() == Verdict.NOT_DECIDED && comparison.time() == null) {
      return "too few forks";
    }
    return row.isControl() ? "noise" : comparison.verdict().label();
  }

  /** Renders a table without lines between its columns. */
  private static List<String> text(List<List<String>> lines) {
    int[] widths = new int[HEAD.size()];
    int figures = 0;
    for (int i = 1; i < widths.length; i++) {
      widths[i] = width(lines, i, COLUMNS);
      figures += GAP.length() + widths[i];
    }
    // Longer names have a line of their own, so that the figures fit.
    widths[0] = width(lines, 0, COLUMNS - figures);
    List<String> out = new ArrayList<>();
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      String name = line.get(0);
      if (name.length() > widths[0]) {
        out.add(name);
        name = "";
      }
      text.append(name).append(" ".repeat(widths[0] - name.length()));
      for (int i = 1; i < widths.length; i++) {
        String space = " ".repeat(widths[i] - line.get(i).length());
        boolean word = HEAD.get(i).equals(VERDICT);
        text.append(GAP).append(word ? line.get(i) + space : space + line.get(i));
      }
      out.add(text.toString());
    }
    return out;
  }

  /** Returns the width of a column, of its cells that are not longer than a limit. */
  private static int width(List<List<String>> lines, int column, int most) {
    return lines.stream()
        .mapToInt(line -> line.get(column).length())
        .filter(length -> length <= most)
        .max()
        .orElse(0);
  }
}
