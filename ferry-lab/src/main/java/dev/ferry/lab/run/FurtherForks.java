package dev.ferry.lab.run;

import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Plan;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Selects the rows that get further forks when time is left after the rounds. */
final class FurtherForks {
  private FurtherForks() {}

  /**
   * Returns the rows of the comparisons that can be decided in time, those first that need the
   * fewest forks; if none can, those of the easiest one.
   *
   * @param undecided the expected number of further forks of a row and its baseline
   * @param left the time that is left
   */
  static Set<RowKey> affordable(
      Plan plan, Map<RowKey, Integer> undecided, Forecast forecast, Duration left) {
    Set<RowKey> chosen = new LinkedHashSet<>();
    Duration cost = Duration.ZERO;
    for (Map.Entry<RowKey, Integer> next :
        undecided.entrySet().stream().sorted(Map.Entry.comparingByValue()).toList()) {
      Set<RowKey> pair = pair(plan, next.getKey());
      pair.removeAll(chosen);
      for (RowKey row : pair) {
        cost = cost.plus(forecast.expected(row).multipliedBy(next.getValue()));
      }
      if (!chosen.isEmpty() && cost.compareTo(left) > 0) {
        return chosen;
      }
      chosen.addAll(pair);
    }
    return chosen;
  }

  private static Set<RowKey> pair(Plan plan, RowKey row) {
    Set<RowKey> pair = new LinkedHashSet<>(List.of(row));
    for (Plan.Group group : plan.groups()) {
      if (group.rows().contains(row)) {
        pair.add(row.withMethod(group.baseline()));
      }
    }
    return pair;
  }
}
