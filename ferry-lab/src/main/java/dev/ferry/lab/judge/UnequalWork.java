package dev.ferry.lab.judge;

import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.RootText;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds methods that compress at another level than the baseline. The text rarely says so, but the
 * figures do: the time that compression adds to a row at otherwise equal parameters is about that
 * of the codec.
 *
 * @param parameter the parameter that turns compression on; null if the table has none
 * @param reasons the finding for each method that does other work than its baseline
 */
record UnequalWork(@Nullable String parameter, Map<String, String> reasons) {
  /** How much more compression may add to one of two methods with the same codec. */
  private static final double FACTOR = 2;

  static UnequalWork of(PublishedTable table) {
    String parameter =
        table.parameters().stream()
            .filter(p -> p.toLowerCase(Locale.ROOT).contains("compress"))
            .findFirst()
            .orElse(null);
    Map<String, String> reasons = new LinkedHashMap<>();
    if (parameter != null) {
      Findings.pairs(
          table,
          (row, base) -> {
            Interval added = added(table, parameter, row);
            Interval addedToBase = added(table, parameter, base);
            if (added != null && addedToBase != null) {
              String reason = reason(row, added, base, addedToBase);
              if (reason != null) {
                reasons.putIfAbsent(row.method(), reason);
              }
            }
          });
    }
    return new UnequalWork(parameter, reasons);
  }

  /** Returns whether a row is compressed and its method does other work than the baseline. */
  boolean concerns(PublishedRow row) {
    return parameter != null && isOn(row, parameter) && reasons.containsKey(row.method());
  }

  private static boolean isOn(PublishedRow row, String parameter) {
    return "true".equalsIgnoreCase(row.parameters().get(parameter));
  }

  /** Returns the time that compression adds; null if that is not known. */
  private static @Nullable Interval added(
      PublishedTable table, String parameter, PublishedRow with) {
    if (!isOn(with, parameter)) {
      return null;
    }
    Optional<PublishedRow> without =
        table.rows().stream()
            .filter(r -> r.method().equals(with.method()) && !isOn(r, parameter))
            .filter(r -> others(r, parameter).equals(others(with, parameter)))
            .findFirst();
    Interval on = with.interval();
    Interval off = without.map(PublishedRow::interval).orElse(null);
    return on == null || off == null
        ? null
        : new Interval(on.value() - off.value(), on.low() - off.high(), on.high() - off.low());
  }

  private static Map<String, String> others(PublishedRow row, String parameter) {
    Map<String, String> others = new LinkedHashMap<>(row.parameters());
    others.remove(parameter);
    return others;
  }

  private static @Nullable String reason(
      PublishedRow row, Interval added, PublishedRow base, Interval addedToBase) {
    boolean more = added.value() > addedToBase.value();
    Interval large = more ? added : addedToBase;
    Interval small = more ? addedToBase : added;
    if (small.low() <= 0 || large.low() <= FACTOR * small.high()) {
      return null;
    }
    return RootText.format(
        "Compression adds %,.0f ms to %s and %,.0f ms to %s. The same codec at the same level would"
            + " add about the same, so their compressed rows are not comparable.",
        added.value() / 1e6, row.name(), addedToBase.value() / 1e6, base.name());
  }

  Set<String> sentences() {
    return new LinkedHashSet<>(reasons.values());
  }
}
