package dev.ferry.lab.judge;

import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.MarkdownTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges published tables: which differences between rows they can claim, what speaks against their
 * figures, and what Ferry's rows of the same names say.
 */
public final class Judge {
  private static final String NONE = "-";

  private final @Nullable RunDocument run;
  private final boolean markdown;
  private final StringBuilder out = new StringBuilder();
  private final Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
  private int tables;

  private Judge(@Nullable RunDocument run, boolean markdown) {
    this.run = run;
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
   * @param run a run to set beside them; null for none
   * @param markdown whether headings are Markdown
   * @throws LabException if a report has no table or a damaged one
   */
  public static String render(List<Report> reports, @Nullable RunDocument run, boolean markdown)
      throws LabException {
    Judge judge = new Judge(run, markdown);
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
    if (run != null) {
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
    List<Row> ours = run == null ? List.of() : Places.rows(table, run);
    UnequalWork unequal = UnequalWork.of(table);
    boolean ratios = table.rows().stream().anyMatch(r -> r.ratio() != null);
    List<String> head = new ArrayList<>(List.of("Method"));
    head.addAll(table.parameters());
    head.addAll(List.of("Mean", "Error", "N"));
    if (ratios) {
      head.add("Printed");
    }
    head.addAll(List.of("Ratio", "Claim"));
    if (!ours.isEmpty()) {
      head.add("Here");
    }
    List<List<String>> lines = new ArrayList<>();
    List<String> opposite = new ArrayList<>();
    Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    PublishedRow above = null;
    for (PublishedRow row : table.rows()) {
      if (above != null && ratios && !above.parameters().equals(row.parameters())) {
        lines.add(Collections.nCopies(head.size(), ""));
      }
      above = row;
      Optional<PublishedRow> base =
          table.groups().stream()
              .filter(g -> g.contains(row))
              .findFirst()
              .flatMap(table::reference);
      List<String> line = new ArrayList<>(List.of(row.method()));
      line.addAll(row.parameters().values());
      line.addAll(figures(row));
      if (ratios) {
        line.add(row.ratio() == null ? NONE : Findings.number(row.ratio().value()));
      }
      Verdict verdict =
          base.filter(b -> b != row).map(b -> verdict(table, row, b, unequal)).orElse(null);
      if (verdict != null) {
        counts.merge(verdict, 1, Integer::sum);
        verdicts.merge(verdict, 1, Integer::sum);
      }
      line.addAll(claim(row, base, verdict));
      if (run != null && !ours.isEmpty()) {
        Ours here = Ours.of(row, base, ours, run);
        line.add(here.text());
        if (here.contradicts(verdict)) {
          opposite.add(
              "%s: they %s, here %s."
                  .formatted(row.name(), line.get(line.size() - 2), here.text()));
        }
      }
      lines.add(line);
    }
    out.append(MarkdownTable.render(head, lines, 1 + table.parameters().size())).append('\n');
    say(
        table
                .baseline()
                .map(b -> "Compared with " + b)
                .orElse(
                    "The table names no baseline; compared with the fastest of equal parameters")
            + ": "
            + counted(counts)
            + ".");
    list(findings);
    list(opposite);
    if (run != null && ours.isEmpty()) {
      list(List.of("The run has no rows of these names."));
    }
  }

  private static List<String> figures(PublishedRow row) {
    Double error = row.relativeError();
    SampleCount count = SampleCount.of(row);
    return List.of(
        row.printedMean(),
        error == null ? NONE : String.format(Locale.ROOT, "%.1f %%", 100 * error),
        count == null ? "?" : count.toString());
  }

  private static Verdict verdict(
      PublishedTable table, PublishedRow row, PublishedRow base, UnequalWork unequal) {
    return unequal.concerns(row) || Findings.isTimer(table, row) || Findings.isTimer(table, base)
        ? Verdict.NOT_COMPARABLE
        : Claims.verdict(row.interval(), base.interval());
  }

  /** Returns the ratio and the claim. */
  private static List<String> claim(
      PublishedRow row, Optional<PublishedRow> base, @Nullable Verdict verdict) {
    if (verdict == null || base.isEmpty()) {
      return List.of(NONE, base.isEmpty() ? NONE : "compared with");
    }
    Interval a = row.interval();
    Interval b = base.get().interval();
    return List.of(
        Findings.number(Claims.quotient(row, base.get())),
        Words.of(verdict, a == null || b == null ? null : Claims.ratio(a, b)));
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
