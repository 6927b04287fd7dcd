package dev.ferry.lab.judge;

import dev.ferry.lab.model.Printable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the tables of BenchmarkDotNet from a file. Other tables are ignored. */
final class ReportReader {
  private static final Pattern HEADING = Pattern.compile("(#{1,6})\\s++(.*[^#\\s])[#\\s]*");
  private static final Pattern BASELINE = Pattern.compile("(?i)base ?line(?: is|:|=)\\s*`?(\\w+)");
  private static final Pattern ADDRESS = Pattern.compile("\\]\\([^])\\s]+\\)|https?://\\S+");
  private static final Pattern UNIT =
      Pattern.compile("(?<! ) *+(?:\\[([^\\[\\]]*)]|\\((\\w{1,2})\\))$");

  /** What stands before the lines of a report in a quotation or a comment. */
  private static final Pattern QUOTATION = Pattern.compile("^\\s*+(?://|>)++ ?");

  /** The characters of the longest line that is read: no table needs more. */
  private static final int LONGEST_LINE = 20_000;

  /** Columns that no parameter is named after, so that they show whose table it is. */
  private static final Set<String> OTHERS =
      Set.of("AvrTime", "Median", "StdDev", "Error", "Ratio", "Scaled", "Allocated", "Op/s");

  private final String file;
  private final List<String> lines = new ArrayList<>();
  private final String prose;
  private final List<PublishedTable> tables = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();

  /**
   * What a file has.
   *
   * @param tables its tables; may be empty
   * @param refused why tables, or the file, could not be read: lines that name place and remedy
   */
  record ReadTables(List<PublishedTable> tables, List<String> refused) {}

  private ReportReader(String file, String text) {
    this.file = file;
    text.replace("\ufeff", "").lines().forEach(this::addLine);
    this.prose =
        ADDRESS
            .matcher(String.join("\n", lines.stream().filter(l -> !l.contains("|")).toList()))
            .replaceAll(" ");
  }

  /**
   * Reads all tables of a file. What cannot be read is refused alone.
   *
   * @param file its name, for messages
   */
  static ReadTables read(String file, String text) {
    ReportReader reader = new ReportReader(file, text);
    reader.read();
    if (reader.tables.isEmpty() && reader.refused.isEmpty()) {
      reader.refused.add(
          file
              + " has no table with the columns Method and Mean; give a report that"
              + " BenchmarkDotNet exported as Markdown or AsciiDoc");
    }
    return new ReadTables(reader.tables, reader.refused);
  }

  /**
   * Adds a line without its quotation and without what controls a terminal. One that is too long is
   * left out; a table goes on below.
   */
  private void addLine(String text) {
    String line = Printable.of(text.replace('\t', ' '));
    if (line.length() <= LONGEST_LINE) {
      lines.add(QUOTATION.matcher(line).replaceFirst(""));
    } else {
      lines.add(line.contains("|") ? "|?|" : "");
      refuse(
          lines.size(),
          "the line has more than %d characters; break it or remove it".formatted(LONGEST_LINE));
    }
  }

  private void read() {
    List<String> headings = new ArrayList<>();
    List<Integer> levels = new ArrayList<>();
    JobSettings settings = JobSettings.NONE;
    String stated = "";
    boolean fenced = false;
    int section = 0;
    int above = 0;
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
      } else if (TableText.isHead(lines, i)) {
        TableText table = TableText.read(lines, i);
        // A table without words on its jobs shares them with the one above.
        String before = String.join("\n", lines.subList(above, i));
        JobSettings own = JobSettings.of(before);
        settings = own.isEmpty() ? settings : own;
        stated =
            BASELINE.matcher(before).results().map(r -> r.group(1)).reduce(stated, (a, b) -> b);
        above = table.end();
        i = table.end() - 1;
        String method = own.values().getOrDefault("Method", "");
        add(
            method.isEmpty() ? table : table.with("Method", method),
            section,
            headings,
            settings,
            stated);
      }
    }
  }

  private void add(
      TableText text, int section, List<String> headings, JobSettings settings, String stated) {
    List<String> columns = new ArrayList<>();
    List<String> units = new ArrayList<>();
    for (String cell : text.head()) {
      Matcher unit = UNIT.matcher(cell);
      units.add(unit.find() ? unit.group(unit.group(1) == null ? 2 : 1) : "");
      String name = unit.replaceAll("");
      columns.add(name.equals("Scaled") ? "Ratio" : name);
    }
    if (!columns.contains("Method")
        || (!columns.contains("Mean") && columns.stream().noneMatch(OTHERS::contains))) {
      return;
    }
    int first = text.first() + 1;
    if (!columns.contains("Mean")) {
      refuse(first, "the table has no column Mean; export it with means");
      return;
    }
    for (String name : List.of("Method", "Mean")) {
      if (columns.indexOf(name) != columns.lastIndexOf(name)) {
        refuse(first, "the table has two columns " + name + "; give each its own table");
        return;
      }
    }
    List<String> faults = new ArrayList<>();
    List<PublishedRow> rows = new RowReader(columns, units, faults).rows(text.lines());
    if (rows.stream().allMatch(r -> r.mean() == null) && !faults.isEmpty()) {
      refused.add(file + ", " + faults.get(0));
      return;
    }
    if (rows.isEmpty()) {
      refuse(first, "the table has no rows; correct it or remove it");
      return;
    }
    tables.add(
        new PublishedTable(
            first,
            List.copyOf(headings),
            prose,
            String.join("\n", headings)
                + "\n"
                + String.join("\n", lines.subList(section, endOfText(text.end()))),
            settings,
            new LinkedHashSet<>(columns),
            rows,
            Grouping.of(rows, stated),
            List.copyOf(faults)));
  }

  private void refuse(int line, String why) {
    refused.add("%s, line %d: %s".formatted(file, line, why));
  }

  /** Returns where the text below a table ends: at the next heading or table. */
  private int endOfText(int from) {
    int end = from;
    while (end < lines.size() && !lines.get(end).startsWith("#") && !TableText.isHead(lines, end)) {
      end++;
    }
    return end;
  }
}
