package dev.ferry.lab.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A published table and the text around it.
 *
 * @param line the number of its first line
 * @param headings the headings above it, outermost first
 * @param report the text of the whole file
 * @param section the headings and the text of its section, with the hints below the table
 * @param iterations the number of iterations that were asked for; null if not stated
 * @param stated the baseline that the text names; null if it names none
 * @param columns the names of the columns
 * @param rows the rows, at least one
 */
record PublishedTable(
    int line,
    List<String> headings,
    String report,
    String section,
    @Nullable Integer iterations,
    @Nullable String stated,
    Set<String> columns,
    List<PublishedRow> rows) {
  /** The misfit of a row whose group does not have the method. */
  private static final double NO_BASELINE = 9;

  /** Returns the last heading. */
  String heading() {
    return headings.isEmpty() ? "" : headings.get(headings.size() - 1);
  }

  /** Returns the parameters in the order of the columns. */
  List<String> parameters() {
    return List.copyOf(rows.get(0).parameters().keySet());
  }

  /** Returns the rows with figures that have the same parameters, in the order of the table. */
  List<List<PublishedRow>> groups() {
    Map<Map<String, String>, List<PublishedRow>> groups = new LinkedHashMap<>();
    rows.stream()
        .filter(r -> r.mean() != null)
        .forEach(r -> groups.computeIfAbsent(r.parameters(), p -> new ArrayList<>()).add(r));
    return List.copyOf(groups.values());
  }

  /**
   * Returns the baseline: the method that the text names, or else the one whose means explain the
   * printed ratios best. The baseline's own ratio does not identify it, since it is often not 1.00.
   */
  Optional<String> baseline() {
    if (rows.stream().noneMatch(r -> r.ratio() != null)) {
      return Optional.empty();
    }
    Set<String> methods =
        rows.stream().map(PublishedRow::method).collect(Collectors.toCollection(TreeSet::new));
    if (stated != null && methods.contains(stated)) {
      return Optional.of(stated);
    }
    return methods.stream().min(Comparator.comparingDouble(this::misfit));
  }

  private double misfit(String method) {
    double sum = 0;
    for (List<PublishedRow> group : groups()) {
      PublishedRow base =
          group.stream().filter(r -> r.method().equals(method)).findFirst().orElse(null);
      for (PublishedRow row : group) {
        sum +=
            base == null
                ? NO_BASELINE
                : misfit(row.ratio(), row.mean(), base.mean())
                    + misfit(row.allocRatio(), row.allocated(), base.allocated());
      }
    }
    return sum;
  }

  /** Returns how far a printed ratio is from the quotient of two figures; 0 if not known. */
  private static double misfit(
      @Nullable Figure ratio, @Nullable Figure row, @Nullable Figure base) {
    return ratio == null
            || row == null
            || base == null
            || ratio.value() * row.value() * base.value() == 0
        ? 0
        : Math.abs(Math.log(ratio.value() * base.value() / row.value()));
  }

  /** Returns the row that a group is compared with: the baseline's, or else the fastest. */
  Optional<PublishedRow> reference(List<PublishedRow> group) {
    return baseline()
        .map(name -> group.stream().filter(r -> r.method().equals(name)).findFirst())
        .orElseGet(() -> group.stream().min(Comparator.comparingDouble(Claims::mean)));
  }
}
