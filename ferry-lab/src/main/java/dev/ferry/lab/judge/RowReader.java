package dev.ferry.lab.judge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of one table. A cell that cannot be read is a fault, and its figure missing.
 *
 * @param columns the names of its columns, with Method and Mean
 * @param units the units in the head; empty strings if there is none
 * @param faults receives what could not be read, lines that name place and remedy
 */
record RowReader(List<String> columns, List<String> units, List<String> faults) {
  /** Columns of figures that are read. */
  private static final List<String> FIGURES =
      List.of("Mean", "Error", "StdErr", "StdDev", "Median", "Ratio", "Allocated", "Alloc Ratio");

  private static final Set<String> RATIOS = Set.of("Ratio", "Alloc Ratio");

  /** Cells without a figure: BenchmarkDotNet's and those of Ferry's reports. */
  private static final Set<String> NO_FIGURE =
      Set.of(
          "",
          "-",
          "\u2212",
          "\u2013",
          "\u2014",
          "?",
          "NA",
          "N/A",
          "NaN",
          "\u221e",
          "Infinity",
          "failed",
          "skipped");

  /** What stands for the ratio of the baseline in some styles. */
  private static final String BASELINE = "baseline";

  List<PublishedRow> rows(List<TableText.Line> lines) {
    List<TableText.Line> whole = new ArrayList<>();
    List<Integer> parts = new ArrayList<>();
    int part = 0;
    for (TableText.Line line : lines) {
      if (line.separates()) {
        part++;
      } else if (line.cells().size() == columns.size()) {
        whole.add(plain(line));
        parts.add(part);
      } else {
        fault(
            line,
            "the row has %d cells and the table %d columns"
                .formatted(line.cells().size(), columns.size()));
      }
    }
    Map<String, Character> decimals = decimals(whole);
    List<PublishedRow> rows = new ArrayList<>();
    for (int i = 0; i < whole.size(); i++) {
      rows.add(row(whole.get(i), parts.get(i), decimals));
    }
    return rows;
  }

  /** Returns a line whose figures have no marks of the kind that people set beside the best one. */
  private TableText.Line plain(TableText.Line line) {
    List<String> cells = new ArrayList<>(line.cells());
    for (int c = 0; c < cells.size(); c++) {
      if (isFigure(c)) {
        cells.set(c, TableText.withoutMarks(cells.get(c)));
      }
    }
    return new TableText.Line(line.number(), List.copyOf(cells));
  }

  /**
   * Returns the decimal separators of the columns. A column that does not tell has that of the
   * others. One that may have either, or contradicts itself, is a fault and has none.
   */
  private Map<String, Character> decimals(List<TableText.Line> lines) {
    Map<String, Set<Character>> possible = new LinkedHashMap<>();
    Set<Character> known = new TreeSet<>();
    boolean points = false;
    for (String name : FIGURES) {
      if (column(name) >= 0) {
        Set<Character> ofColumn = Figure.decimals(cells(lines, name));
        possible.put(name, ofColumn);
        known.addAll(ofColumn.size() == 1 ? ofColumn : Set.of());
        points |= has(cells(lines, name), ".");
      }
    }
    if (known.isEmpty() && points) {
      known.add('.');
    }
    Map<String, Character> decimals = new LinkedHashMap<>();
    possible.forEach(
        (name, ofColumn) -> {
          Set<Character> choice = ofColumn.size() == 2 && known.size() == 1 ? known : ofColumn;
          if (choice.size() == 1) {
            decimals.put(name, choice.iterator().next());
          } else if (!choice.isEmpty() && !has(cells(lines, name), ",")) {
            decimals.put(name, '.');
          } else {
            faults.add(
                "line %d: column %s %s; write its figures with decimal points"
                    .formatted(
                        lines.get(0).number(),
                        name,
                        choice.isEmpty()
                            ? "mixes decimal points and commas"
                            : "has commas that may be decimal or group digits"));
          }
        });
    return decimals;
  }

  private List<String> cells(List<TableText.Line> lines, String name) {
    return lines.stream().map(l -> l.cells().get(column(name))).toList();
  }

  private static boolean has(List<String> cells, String separator) {
    return cells.stream().anyMatch(c -> c.contains(separator));
  }

  private PublishedRow row(TableText.Line line, int part, Map<String, Character> decimals) {
    Map<String, String> parameters = new LinkedHashMap<>();
    int method = columns.indexOf("Method");
    int mean = columns.indexOf("Mean");
    for (int c = 0; c < Math.max(mean, method); c++) {
      if (c != method && c != mean && !isFigure(c)) {
        parameters.put(columns.get(c), line.cells().get(c));
      }
    }
    Map<String, Figure> figures = new LinkedHashMap<>();
    for (String name : FIGURES) {
      int c = column(name);
      Figure figure = c < 0 ? null : figure(line, name, c, decimals.get(name));
      if (figure != null) {
        figures.put(name, figure);
      }
    }
    SampleCount.error(figures).ifPresent(error -> figures.putIfAbsent("Error", error));
    int ratio = column("Ratio");
    int marks = columns.indexOf("Baseline");
    return new PublishedRow(
        part,
        line.cells().get(method),
        parameters,
        line.cells().get(mean),
        (ratio >= 0 && line.cells().get(ratio).equals(BASELINE))
            || (marks > mean && line.cells().get(marks).equals("Yes")),
        Map.copyOf(figures));
  }

  private @Nullable Figure figure(
      TableText.Line line, String name, int c, @Nullable Character decimal) {
    String cell = line.cells().get(c);
    if (decimal == null || NO_FIGURE.contains(cell)) {
      return null;
    }
    if (cell.equals(BASELINE)) {
      return new Figure(1, 0);
    }
    Figure figure =
        RATIOS.contains(name)
            ? Figure.parseRatio(cell, decimal)
            : Figure.parse(cell, units.get(c), decimal);
    if (figure == null) {
      String shown =
          cell.length() <= Figure.LONGEST ? cell : cell.substring(0, Figure.LONGEST) + "...";
      fault(line, "'%s' in column %s is not a figure".formatted(shown, name));
    }
    return figure;
  }

  private void fault(TableText.Line line, String what) {
    faults.add("line %d: %s; correct it or remove the row".formatted(line.number(), what));
  }

  /** Returns the index of a column of figures; a parameter before it may have the same name. */
  private int column(String name) {
    return columns.lastIndexOf(name);
  }

  private boolean isFigure(int c) {
    return FIGURES.contains(columns.get(c)) && column(columns.get(c)) == c;
  }
}
