package dev.ferry.lab.judge;

import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.MarkdownTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of a published table with their verdicts, beside those of a run. */
final class JudgedTable {
  private static final String NONE = "-";

  private final PublishedTable table;
  private final Map<PublishedRow, Grouping.Group> groups;
  private final List<RunDocument> runs;
  private final @Nullable RunDocument run;
  private final List<Row> ours;
  private final UnequalWork unequal;
  private final boolean ratios;
  private final List<List<String>> lines = new ArrayList<>();
  private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
  private final List<String> contradictions = new ArrayList<>();

  /**
   * Judges a table.
   *
   * @param runs the runs of which one may be set beside it
   */
  JudgedTable(PublishedTable table, List<RunDocument> runs) {
    this.table = table;
    this.groups = table.grouping().ofRows();
    this.runs = runs;
    this.run = Places.run(table, runs).orElse(null);
    this.ours = run == null ? List.of() : Places.rows(table, run);
    this.unequal = UnequalWork.of(table);
    this.ratios = table.rows().stream().anyMatch(r -> r.ratio() != null);
    Grouping.Group above = null;
    int part = 0;
    for (PublishedRow row : table.rows()) {
      boolean separated = row.part() != part;
      // A row without a figure stands with those beside it.
      Grouping.Group group = groups.containsKey(row) || separated ? groups.get(row) : above;
      boolean begins = separated || (above != null && above != group);
      if (!lines.isEmpty() && begins && table.grouping().explained()) {
        lines.add(Collections.nCopies(head().size(), ""));
      }
      lines.add(line(row));
      above = group;
      part = row.part();
    }
  }

  /** Returns how many comparisons have each verdict. */
  Map<Verdict, Integer> counts() {
    return counts;
  }

  /** Returns which run stands beside the table, if there are several, and where it contradicts. */
  List<String> besideTheRun() {
    List<String> sentences = new ArrayList<>();
    if (run == null && !runs.isEmpty()) {
      sentences.add("No run has rows of these names.");
    } else if (run != null && runs.size() > 1) {
      sentences.add("Here means the run of " + run.environment().started() + ".");
    }
    sentences.addAll(contradictions);
    return sentences;
  }

  /** Returns the table as Markdown. */
  String text() {
    return MarkdownTable.render(head(), lines, 1 + table.parameters().size());
  }

  private List<String> head() {
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
    return head;
  }

  private List<String> line(PublishedRow row) {
    Grouping.Group group = groups.get(row);
    PublishedRow base = group == null ? null : group.base();
    Double error = row.relativeError();
    SampleCount count = SampleCount.of(row);
    List<String> line = new ArrayList<>(List.of(row.method()));
    line.addAll(row.parameters().values());
    line.replaceAll(cell -> cell.replace("|", "\\|"));
    line.add(row.printedMean());
    line.add(error == null ? NONE : RootText.format("%.1f %%", 100 * error));
    line.add(count == null ? "?" : count.toString());
    if (ratios) {
      line.add(row.ratio() == null ? NONE : Findings.number(row.ratio().value()));
    }
    Verdict verdict = null;
    String claim =
        group == null || base == null || group.rows().size() == 1 ? NONE : "compared with";
    if (base == null || base == row) {
      line.add(NONE);
    } else {
      verdict = verdict(row, base);
      counts.merge(verdict, 1, Integer::sum);
      Interval a = row.interval();
      Interval b = base.interval();
      claim = Claims.words(verdict, a == null || b == null ? null : Claims.ratio(a, b));
      line.add(Findings.number(Claims.quotient(row, base)));
    }
    line.add(claim);
    if (run != null && !ours.isEmpty()) {
      Ours here = Ours.of(row, Optional.ofNullable(base), ours, run);
      line.add(here.text());
      if (here.contradicts(verdict)) {
        contradictions.add("%s: they %s, here %s.".formatted(row.name(), claim, here.text()));
      }
    }
    return line;
  }

  private Verdict verdict(PublishedRow row, PublishedRow base) {
    return Claims.mean(base) == 0
            || Claims.mean(row) == 0
            || unequal.concerns(row)
            || Findings.isTimer(table, row)
            || Findings.isTimer(table, base)
        ? Verdict.NOT_COMPARABLE
        : Claims.verdict(row.interval(), base.interval());
  }
}
