package dev.ferry.lab.judge;

import dev.ferry.lab.model.LabException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the tables of BenchmarkDotNet from Markdown. Other tables are ignored. */
final class ReportReader {
  private static final Pattern HEADING = Pattern.compile("(#{1,6})\\s+(.+?)\\s*#*\\s*");
  private static final Pattern ITERATIONS = Pattern.compile("IterationCount=(\\d{1,4})");
  private static final Pattern LAUNCHES = Pattern.compile("LaunchCount=(\\d{1,4})");
  private static final Pattern BASELINE = Pattern.compile("(?i)base ?line(?: is|:|=)\\s*`?(\\w+)");
  private static final Pattern UNIT = Pattern.compile(" *\\[([^]]*)]$");

  /** Cells without a figure: BenchmarkDotNet's and those of Ferry's reports. */
  private static final Set<String> NO_FIGURE =
      Set.of("", "-", "?", "NA", "N/A", "failed", "skipped");

  private final String file;
  private final List<String> lines;

  private ReportReader(String file, String text) {
    this.file = file;
    this.lines = text.lines().toList();
  }

  /**
   * Reads all tables of a file.
   *
   * @param file its name, for messages
   * @throws LabException if there is no table, or if a row is damaged
   */
  static List<PublishedTable> read(String file, String text) throws LabException {
    List<PublishedTable> tables = new ReportReader(file, text).tables();
    if (tables.isEmpty()) {
      throw LabException.failure(
          file
              + " has no table with the columns Method and Mean; give a report that"
              + " BenchmarkDotNet exported as Markdown");
    }
    return tables;
  }

  private List<PublishedTable> tables() throws LabException {
    List<PublishedTable> tables = new ArrayList<>();
    List<String> headings = new ArrayList<>();
    List<Integer> levels = new ArrayList<>();
    boolean fenced = false;
    int section = 0;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      Matcher heading = HEADING.matcher(line);
      if (line.startsWith("```")) {
        fenced = !fenced;
      } else if (!fenced && heading.matches()) {
        int level = heading.group(1).length();
        while (!levels.isEmpty() && levels.get(levels.size() - 1) >= level) {
          levels.remove(levels.size() - 1);
          headings.remove(headings.size() - 1);
        }
        levels.add(level);
        headings.add(heading.group(2));
        section = i;
      } else if (isHead(i)) {
        int end = i + 2;
        while (end < lines.size() && lines.get(end).strip().startsWith("|")) {
          end++;
        }
        tables.add(table(i, end, section, headings));
        i = end - 1;
      }
    }
    return tables;
  }

  private boolean isHead(int i) {
    List<String> cells =
        cells(lines.get(i)).stream().map(c -> UNIT.matcher(c).replaceAll("")).toList();
    return cells.contains("Method")
        && cells.contains("Mean")
        && i + 1 < lines.size()
        && lines.get(i + 1).strip().matches("\\|[-:| ]+\\|?");
  }

  private PublishedTable table(int head, int end, int section, List<String> headings)
      throws LabException {
    List<String> columns = new ArrayList<>();
    List<String> units = new ArrayList<>();
    for (String cell : cells(lines.get(head))) {
      Matcher unit = UNIT.matcher(cell);
      units.add(unit.find() ? unit.group(1) : "");
      columns.add(unit.replaceAll(""));
    }
    List<PublishedRow> rows = new ArrayList<>();
    for (int i = head + 2; i < end; i++) {
      List<String> cells = cells(lines.get(i));
      if (cells.stream().allMatch(String::isEmpty)) {
        continue;
      }
      if (cells.size() != columns.size()) {
        throw damaged(
            i,
            "the row has %d cells and the table %d columns"
                .formatted(cells.size(), columns.size()));
      }
      rows.add(row(i, columns, units, cells));
    }
    if (rows.isEmpty()) {
      throw damaged(head, "the table has no rows");
    }
    String before = String.join("\n", lines.subList(0, head));
    return new PublishedTable(
        head + 1,
        List.copyOf(headings),
        String.join("\n", lines),
        String.join("\n", headings)
            + "\n"
            + String.join("\n", lines.subList(section, endOfText(end))),
        iterations(before),
        last(BASELINE, before),
        new LinkedHashSet<>(columns),
        rows);
  }

  /** Returns where the text below a table ends: at the next heading or table. */
  private int endOfText(int from) {
    int end = from;
    while (end < lines.size() && !lines.get(end).startsWith("#") && !isHead(end)) {
      end++;
    }
    return end;
  }

  private PublishedRow row(int i, List<String> columns, List<String> units, List<String> cells)
      throws LabException {
    Map<String, String> parameters = new LinkedHashMap<>();
    int mean = columns.indexOf("Mean");
    for (int c = columns.indexOf("Method") + 1; c < mean; c++) {
      parameters.put(columns.get(c), cells.get(c));
    }
    Map<String, @Nullable Figure> figures = new LinkedHashMap<>();
    for (String name :
        List.of("Mean", "Error", "StdDev", "Median", "Ratio", "Allocated", "Alloc Ratio")) {
      int c = columns.indexOf(name);
      if (c >= 0 && !NO_FIGURE.contains(cells.get(c))) {
        Figure figure = Figure.parse(cells.get(c), units.get(c));
        if (figure == null) {
          throw damaged(i, "'%s' in column %s is no figure".formatted(cells.get(c), name));
        }
        figures.put(name, figure);
      }
    }
    return new PublishedRow(
        cells.get(columns.indexOf("Method")),
        parameters,
        cells.get(mean),
        figures.get("Mean"),
        figures.get("Error"),
        figures.get("StdDev"),
        figures.get("Median"),
        figures.get("Ratio"),
        figures.get("Allocated"),
        figures.get("Alloc Ratio"));
  }

  private LabException damaged(int line, String what) {
    return LabException.failure(
        file + ", line " + (line + 1) + ": " + what + "; correct it or remove the row");
  }

  private static @Nullable Integer iterations(String text) {
    String iterations = last(ITERATIONS, text);
    String launches = last(LAUNCHES, text);
    return iterations == null
        ? null
        : (Integer)
            (Integer.parseInt(iterations) * (launches == null ? 1 : Integer.parseInt(launches)));
  }

  private static @Nullable String last(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(r -> r.group(1)).reduce((a, b) -> b).orElse(null);
  }

  /** Returns the cells of a line without their bold type; empty if it is no line of a table. */
  private static List<String> cells(String line) {
    String text = line.strip();
    if (!text.startsWith("|")) {
      return List.of();
    }
    String inner =
        text.substring(
            1, text.endsWith("|") && text.length() > 1 ? text.length() - 1 : text.length());
    return Arrays.stream(inner.split("(?<!\\\\)\\|", -1))
        .map(c -> c.strip().replaceAll("^\\*\\*(.*)\\*\\*$", "$1").replace("\\|", "|").strip())
        .toList();
  }
}
