package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The colors of the methods of a run, the same in all of its pictures. A color depends on the key
 * of its method, so that other runs show it as well, unless two methods of a run would share it.
 */
final class MethodColors {
  private static final List<String> COLORS =
      List.of(
          "#d98a2b", "#a06bc9", "#94a3b8", "#4f9ddb", "#b8a12a", "#d16ba5", "#7a8f3a", "#e2725b",
          "#3f7f8c", "#8a6d5b", "#5b6ee1", "#4caf50", "#c9556b", "#5f7d95", "#0d9373");

  /** With this factor, none of the methods of the default tables share a color. */
  private static final int SPREAD = 31;

  private final Map<String, String> colors = new LinkedHashMap<>();

  private MethodColors(RunDocument run) {
    Set<Integer> taken = new LinkedHashSet<>();
    run.rows().stream()
        .map(MethodColors::method)
        .distinct()
        .sorted()
        .forEach(method -> colors.put(method, COLORS.get(place(method, taken))));
  }

  static MethodColors of(RunDocument run) {
    return new MethodColors(run);
  }

  /** Returns the color of a row of the run. An A/A row has that of its baseline. */
  String of(Row row) {
    return Objects.requireNonNull(colors.get(method(row)));
  }

  private static String method(Row row) {
    return row.key().work().method();
  }

  private static int place(String method, Set<Integer> taken) {
    int place = Math.floorMod(SPREAD * method.hashCode(), COLORS.size());
    while (taken.contains(place) && taken.size() < COLORS.size()) {
      place = (place + 1) % COLORS.size();
    }
    taken.add(place);
    return place;
  }
}
