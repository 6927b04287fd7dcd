package dev.ferry.lab.judge;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Judges published tables: which differences between rows they can claim, what speaks against their
 * figures, and what Ferry's rows of the same names say.
 */
public final class Judge {
  private final List<RunDocument> runs;
  private final boolean markdown;
  private final StringBuilder out = new StringBuilder();
  private final Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
  private int tables;

  private Judge(List<RunDocument> runs, boolean markdown) {
    this.runs = List.copyOf(runs);
    this.markdown = markdown;
  }

  /**
   * A published report.
   *
   * @param name the name of its file
   * @param text its text, Markdown with tables of BenchmarkDotNet
   */
  public record Report(String name, String text) {}

  /**
   * Judges reports.
   *
   * @param runs the runs to set beside them: each table stands beside the run that has the most of
   *     its rows
   * @param markdown whether headings are Markdown
   * @throws LabException if a report has no table or a damaged one
   */
  public static String render(List<Report> reports, List<RunDocument> runs, boolean markdown)
      throws LabException {
    Judge judge = new Judge(runs, markdown);
    judge.legend();
    for (Report report : reports) {
      List<PublishedTable> tables = ReportReader.read(report.name(), report.text());
      judge.report(report.name(), tables);
    }
    judge.total();
    return judge.out.toString().strip() + "\n";
  }

  private void legend() {
    say(
        "Ratio is the quotient of two means, with a 99.9 % interval by Fieller's theorem from the"
            + " printed errors. \"faster\" and \"slower\" stand if the intervals of both means do not"
            + " overlap and that of the ratio is beyond 5 %; \"same\" if it is within 5 %; \"not"
            + " decided\" otherwise. An Error knows only the samples of its own process: another start"
            + " of the same program may differ by more. N is derived from Error and StdDev.");
    for (RunDocument run : runs) {
      RunDocument.Environment e = run.environment();
      say(
          "Here: Ferry %s (%s), %s, %d cores, JDK %s, %s, profile %s."
              .formatted(
                  run.ferry().version(),
                  run.ferry().commit(),
                  e.cpu(),
                  e.cores(),
                  e.jdk(),
                  e.started(),
                  run.profile()));
    }
  }

  private void report(String name, List<PublishedTable> tables) {
    heading(2, name);
    Map<PublishedTable, List<String>> findings = new LinkedHashMap<>();
    tables.forEach(t -> findings.put(t, findings(t, tables)));
    // What holds for every table is said once.
    List<String> common = new ArrayList<>(findings.get(tables.get(0)));
    findings.values().forEach(common::retainAll);
    if (tables.size() > 1 && !common.isEmpty()) {
      say("All tables of this report:");
      list(common);
      findings.values().forEach(f -> f.removeAll(common));
    }
    findings.forEach(this::table);
  }

  private static List<String> findings(PublishedTable table, List<PublishedTable> all) {
    List<String> findings = new ArrayList<>(Findings.of(table));
    findings.addAll(UnequalWork.of(table).sentences());
    Repeats.of(table, all).ifPresent(findings::add);
    return findings;
  }

  private void table(PublishedTable table, List<String> findings) {
    List<String> title = new ArrayList<>(List.of("Line " + table.line()));
    title.addAll(table.headings());
    heading(3, String.join(" / ", title));
    tables++;
    JudgedTable judged = new JudgedTable(table, runs);
    judged.counts().forEach((verdict, count) -> verdicts.merge(verdict, count, Integer::sum));
    out.append(judged.text()).append('\n');
    String with =
        table
            .baseline()
            .map(b -> "Compared with " + b)
            .orElse("The table names no baseline; compared with the fastest of equal parameters");
    say(with + ": " + counted(judged.counts()) + ".");
    list(findings);
    list(judged.besideTheRun());
  }

  private static String counted(Map<Verdict, Integer> counts) {
    return counts.isEmpty()
        ? "nothing"
        : counts.entrySet().stream()
            .map(e -> e.getValue() + " " + e.getKey().label())
            .collect(Collectors.joining(", "));
  }

  private void total() {
    int all = verdicts.values().stream().mapToInt(i -> i).sum();
    out.append('\n');
    say("Tables: %d. Comparisons: %d, of which %s.".formatted(tables, all, counted(verdicts)));
  }

  private void list(List<String> sentences) {
    sentences.forEach(s -> out.append("- ").append(s).append('\n'));
  }

  private void heading(int level, String text) {
    out.append(out.toString().endsWith("\n\n") ? "" : "\n")
        .append(markdown ? "#".repeat(level) + " " : "")
        .append(text)
        .append("\n\n");
  }

  private void say(String text) {
    out.append(text).append("\n\n");
  }
}
