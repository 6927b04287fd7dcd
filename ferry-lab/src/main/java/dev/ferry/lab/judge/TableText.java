package dev.ferry.lab.judge;

import dev.ferry.lab.model.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A table as its file has it, in one of the dialects that BenchmarkDotNet writes: Markdown with or
 * without outer pipes, that of Atlassian, and AsciiDoc.
 *
 * @param first the index of the line of its head
 * @param end the index of the line behind its last one
 * @param head the names of the columns
 * @param lines the lines below the head
 */
record TableText(int first, int end, List<String> head, List<Line> lines) {
  private static final char QUOTE = '\'';
  private static final Pattern RULE = Pattern.compile("[-:| ]+");
  private static final Pattern BOLD =
      Pattern.compile(
          "(?i)(\\*\\*|\\*|`)(.*)\\1"
              + "|<(mark|b|strong|i|em|u|code|kbd|span|font|small|sub|sup)(?: [^<>]*)?>(.*)</\\3>");

  /** How many kinds of bold type a cell may have around it. */
  private static final int NESTED = 4;

  /** Pictures and arrows, also by the names that GitHub has for them. */
  private static final String MARKS =
      "(?:[\\p{So}\\p{Sk}\u2190-\u21ff\ufe0f\u200d ]|:[a-z0-9_+-]+:)+";

  private static final Pattern MARKED = Pattern.compile("^" + MARKS + "|" + MARKS + "$");
  private static final Pattern ENTITY =
      Pattern.compile("&(?:#([0-9]{1,6})|#[xX]([0-9a-fA-F]{1,5})|([a-z]{2,5}));");
  private static final Map<String, String> ENTITIES =
      Map.of(
          "lt", "<", "gt", ">", "amp", "&", "quot", "\"", "apos", "'", "nbsp", " ", "mu", "\u03bc",
          "micro", "\u03bc");

  /**
   * A line of a table.
   *
   * @param number its number in the file, from 1 on
   * @param cells its cells without bold type; all are empty in a line that separates groups
   */
  record Line(int number, List<String> cells) {
    boolean separates() {
      return cells.stream().allMatch(String::isEmpty);
    }
  }

  /** Returns whether a table begins at a line. */
  static boolean isHead(List<String> lines, int i) {
    String line = lines.get(i).strip();
    return line.startsWith("||") || isAsciiDoc(lines, i) || isMarkdown(lines, i);
  }

  private static boolean isAsciiDoc(List<String> lines, int i) {
    return i > 0 && lines.get(i).startsWith("|") && lines.get(i - 1).strip().equals("|===");
  }

  private static boolean isMarkdown(List<String> lines, int i) {
    String below = i + 1 < lines.size() ? lines.get(i + 1).strip() : "";
    return lines.get(i).contains("|")
        && below.contains("|")
        && below.contains("-")
        && RULE.matcher(below).matches();
  }

  /** Reads the table that begins at a line. */
  static TableText read(List<String> lines, int first) {
    String end = isAsciiDoc(lines, first) ? "|" : "";
    List<String> head = cells(lines.get(first).replace("||", "|") + end);
    List<Line> below = new ArrayList<>();
    int i = first + (isMarkdown(lines, first) ? 2 : 1);
    while (i < lines.size() && lines.get(i).contains("|") && !lines.get(i).strip().equals("|===")) {
      below.add(new Line(i + 1, joined(cells(lines.get(i) + end), head.size())));
      i++;
    }
    return new TableText(first, i, head, List.copyOf(below));
  }

  /** Returns the table with one more column, whose value is the same in all rows. */
  TableText with(String name, String value) {
    return head.contains(name)
        ? this
        : new TableText(
            first,
            end,
            before(name, head),
            lines.stream()
                .map(l -> new Line(l.number(), before(l.separates() ? "" : value, l.cells())))
                .toList());
  }

  private static List<String> before(String first, List<String> others) {
    return Stream.concat(Stream.of(first), others.stream()).toList();
  }

  /** Joins a quoted name whose pipes were taken for the ends of cells. */
  private static List<String> joined(List<String> cells, int columns) {
    List<String> joined = new ArrayList<>();
    // A name whose second quote is in a later cell.
    StringBuilder open = null;
    int left = cells.size() - columns;
    for (String cell : cells) {
      if (open != null && left > 0) {
        open.append(" | ").append(cell);
        left--;
        if (cell.indexOf(QUOTE) >= 0) {
          joined.add(open.toString());
          open = null;
        }
      } else if (open == null && cell.indexOf(QUOTE) == 0 && cell.lastIndexOf(QUOTE) == 0) {
        open = new StringBuilder(cell);
      } else {
        if (open != null) {
          joined.add(open.toString());
          open = null;
        }
        joined.add(cell);
      }
    }
    if (open != null) {
      joined.add(open.toString());
    }
    return List.copyOf(joined);
  }

  private static List<String> cells(String line) {
    String text = line.strip();
    List<String> cells = new ArrayList<>();
    int from = text.startsWith("|") ? 1 : 0;
    for (int i = from; i <= text.length(); i++) {
      boolean ends = i == text.length();
      if (ends ? i > from : text.charAt(i) == '|' && text.charAt(Math.max(0, i - 1)) != '\\') {
        cells.add(plain(text.substring(from, i)));
        from = i + 1;
      }
    }
    return List.copyOf(cells);
  }

  /** Returns the text of a cell without bold type, entities and escapes, safe to print. */
  private static String plain(String cell) {
    return Printable.of(
        ENTITY
            .matcher(withoutBold(cell).replace("\\|", "|"))
            .replaceAll(m -> Matcher.quoteReplacement(character(m)))
            // The spaces by which some cultures group digits.
            .replaceAll("[\u00a0\u202f\u2009]", " ")
            .strip());
  }

  /** Returns a figure without the marks before and behind it. */
  static String withoutMarks(String cell) {
    return cell.length() <= Figure.LONGEST
        ? withoutBold(MARKED.matcher(cell).replaceAll(""))
        : cell;
  }

  private static String withoutBold(String cell) {
    String text = cell.strip();
    for (int i = 0; i < NESTED; i++) {
      Matcher bold = BOLD.matcher(text);
      if (!bold.matches()) {
        break;
      }
      text = (bold.group(1) == null ? bold.group(4) : bold.group(2)).strip();
    }
    return text;
  }

  private static String character(MatchResult entity) {
    return entity.group(1) != null
        ? Character.toString(Integer.parseInt(entity.group(1)))
        : entity.group(2) != null
            ? Character.toString(Integer.parseInt(entity.group(2), 16))
            : ENTITIES.getOrDefault(entity.group(3), entity.group());
  }
}
