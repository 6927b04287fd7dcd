package dev.ferry.lab.report;

import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.network.NetworkRun;
import java.util.List;
import java.util.stream.Collectors;

/** Renders a run as text: for the console, and as Markdown in the format of the reference. */
public final class TextReport {
  static final String QUESTION = "What should I do?";

  private TextReport() {}

  /** Renders all of a run for a console. */
  public static String console(RunDocument run) {
    StringBuilder out = new StringBuilder();
    EnvironmentText.lines(run).forEach(l -> out.append(l).append('\n'));
    for (Tables.Section table : Tables.of(run)) {
      out.append('\n').append(table.suite()).append(": ").append(table.name()).append("\n\n");
      out.append(MarkdownTable.render(table, false)).append('\n');
      notes(out, table);
    }
    verdicts(out, run, "\nVerdicts\n\n");
    ceilings(out, run, "\nCeilings\n\n");
    advice(out, run, "\n");
    return out.toString();
  }

  /** Renders the content of {@code report.md}. */
  public static String markdown(RunDocument run) {
    StringBuilder out = new StringBuilder("# Ferry bench\n");
    advice(out, run, "\n## ");
    for (Tables.Section table : Tables.of(run)) {
      out.append("\n## ").append(table.suite()).append(": ").append(table.name());
      out.append("\n\n```\n\n");
      EnvironmentText.lines(run).forEach(l -> out.append(l).append('\n'));
      out.append("\n```\n\n");
      out.append(MarkdownTable.render(table, true)).append('\n');
      notes(out, table);
    }
    verdicts(out, run, "\n## Verdicts\n\n");
    ceilings(out, run, "\n## Ceilings\n\n");
    return out.toString();
  }

  /** Returns where advice holds. */
  static String limits(RunDocument run) {
    if (run.server() != null) {
      return "On these two machines, over their network, for this file";
    }
    NetworkRun network = run.network();
    return "On this machine, over %s, for this file"
        .formatted(network == null ? "loopback" : "a network (" + network.asked() + ")");
  }

  private static void advice(StringBuilder out, RunDocument run, String before) {
    if (!run.advice().isEmpty()) {
      out.append(before).append(QUESTION).append("\n\n").append(limits(run)).append(":\n\n");
      run.advice().forEach(a -> out.append("- ").append(a).append('\n'));
    }
  }

  private static void verdicts(StringBuilder out, RunDocument run, String heading) {
    List<String> lines = VerdictText.legend(run);
    if (!lines.isEmpty()) {
      out.append(heading);
      lines.forEach(l -> out.append("- ").append(l).append('\n'));
    }
  }

  private static void ceilings(StringBuilder out, RunDocument run, String heading) {
    List<List<String>> lines = CeilingCells.lines(run);
    if (lines.isEmpty()) {
      return;
    }
    out.append(heading).append(MarkdownTable.render(CeilingCells.HEAD, lines, 1)).append('\n');
    CeilingCells.notes(run).forEach(n -> out.append("- ").append(n).append('\n'));
  }

  private static void notes(StringBuilder out, Tables.Section table) {
    List<String> names = TableNotes.names(table.rows());
    names.forEach(name -> out.append("- ").append(name).append('\n'));
    out.append(names.isEmpty() ? "" : "\n");
    out.append(
        TableNotes.of(table).stream()
            .map(note -> note.text() + "\n")
            .collect(Collectors.joining("\n")));
  }
}
