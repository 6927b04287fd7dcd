package dev.ferry.lab.judge;

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
  private final List<String> unread = new ArrayList<>();
  private int tables;
  private int refused;

  private Judge(List<RunDocument> runs, boolean markdown) {
    this.runs = List.copyOf(runs);
    this.markdown = markdown;
  }

  /**
   * A published report.
   *
   * @param name the name of its file
   * @param text its text, Markdown or AsciiDoc with tables of BenchmarkDotNet
   */
  public record Report(String name, String text) {}

  /**
   * The judgement of reports.
   *
   * @param text the judgement; empty if no table could be read
   * @param unread a line for each file, table, row and cell that could not be read, with its remedy
   */
  public record Judgement(String text, List<String> unread) {}

  /**
   * Judges reports. What cannot be read is left out, and the judgement says so.
   *
   * @param runs the runs to set beside them: each table stands beside the run that has the most of
   *     its rows
   * @param markdown whether headings are Markdown
   */
  public static Judgement judge(List<Report> reports, List<RunDocument> runs, boolean markdown) {
    Judge judge = new Judge(runs, markdown);
    for (Report report : reports) {
      judge.report(report.name(), ReportReader.read(report.name(), report.text()));
    }
    String body = judge.out.toString().strip();
    // Names such as List<int> are no elements of HTML.
    body = markdown ? body.replace("<", "&lt;") : body;
    judge.out.setLength(0);
    judge.summary();
    judge.out.append(body).append("\n\n");
    judge.method();
    return new Judgement(
        judge.tables == 0 ? "" : judge.out.toString().strip() + "\n", List.copyOf(judge.unread));
  }

  private void summary() {
    int all = verdicts.values().stream().mapToInt(i -> i).sum();
    say(
        "Tables: %d%s. Comparisons: %d%s."
            .formatted(
                tables,
                refused == 0 ? "" : ", and " + refused + " not read",
                all,
                all == 0 ? "" : ", of which " + counted(verdicts)));
  }

  private void method() {
    heading(2, "Method");
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

  private void report(String name, ReportReader.ReadTables read) {
    List<PublishedTable> tables = read.tables();
    heading(2, name);
    refused += read.refused().size();
    unread.addAll(read.refused());
    list(read.refused().stream().map(r -> "Not read: " + r + ".").toList());
    tables.forEach(t -> t.faults().forEach(f -> unread.add(name + ", " + f)));
    Map<PublishedTable, List<String>> findings = new LinkedHashMap<>();
    tables.forEach(t -> findings.put(t, findings(t, tables)));
    // What holds for every table is said once.
    List<String> common =
        findings.values().stream().findFirst().map(ArrayList::new).orElseGet(ArrayList::new);
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
    say(table.grouping().comparedWith() + ": " + counted(judged.counts()) + ".");
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

  private void list(List<String> sentences) {
    sentences.forEach(s -> out.append("- ").append(s).append('\n'));
  }

  private void heading(int level, String text) {
    out.append(out.length() == 0 || out.toString().endsWith("\n\n") ? "" : "\n")
        .append(markdown ? "#".repeat(level) + " " : "")
        .append(text)
        .append("\n\n");
  }

  private void say(String text) {
    out.append(text).append("\n\n");
  }
}
