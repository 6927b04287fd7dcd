package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Renders a Markdown table in the format of the reference. It is also readable on a console. */
public final class MarkdownTable {
  private MarkdownTable() {}

  /**
   * Renders a table.
   *
   * @param bold whether the first row of a group is bold, as in the reference
   */
  static String render(Tables.Section table, boolean bold) {
    Cells cells = Cells.of(table);
    List<String> head = cells.head();
    List<List<String>> lines = new ArrayList<>();
    for (List<Row> group : table.blocks()) {
      if (!lines.isEmpty()) {
        lines.add(Collections.nCopies(head.size(), ""));
      }
      boolean first = true;
      for (Row row : group) {
        List<String> line = cells.row(row);
        lines.add(bold && first ? line.stream().map(c -> "**" + c + "**").toList() : line);
        first = false;
      }
    }
    // Figures are right-aligned so that their digits line up.
    return render(head, lines, 1 + table.parameters().size());
  }

  /**
   * Renders any table.
   *
   * @param names the number of left-aligned columns; the others are right-aligned
   */
  public static String render(List<String> head, List<List<String>> lines, int names) {
    int[] widths = new int[head.size()];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      widths[i] =
          Math.max(
              head.get(i).length(),
              lines.stream().mapToInt(l -> l.get(column).length()).max().orElse(0));
    }
    StringBuilder out = new StringBuilder();
    line(out, head, widths, head.size());
    for (int i = 0; i < widths.length; i++) {
      out.append("|-").append("-".repeat(widths[i])).append(i < names ? "-" : ":");
    }
    out.append("|\n");
    lines.forEach(l -> line(out, l, widths, names));
    return out.toString();
  }

  private static void line(StringBuilder out, List<String> cells, int[] widths, int left) {
    for (int i = 0; i < widths.length; i++) {
      String space = " ".repeat(widths[i] - cells.get(i).length());
      out.append("| ");
      out.append(i < left ? cells.get(i) + space : space + cells.get(i));
      out.append(' ');
    }
    out.append("|\n");
  }
}
