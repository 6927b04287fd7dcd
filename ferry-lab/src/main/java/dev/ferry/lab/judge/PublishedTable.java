package dev.ferry.lab.judge;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A published table and the text around it.
 *
 * @param line the number of its first line
 * @param headings the headings above it, outermost first
 * @param prose the text of the whole file without tables and addresses
 * @param section the headings and the text of its section, with the hints below the table
 * @param settings what the text says of the jobs of all rows
 * @param columns the names of the columns
 * @param rows the rows, at least one
 * @param grouping which rows are compared
 * @param faults what could not be read, each with its line
 */
record PublishedTable(
    int line,
    List<String> headings,
    String prose,
    String section,
    JobSettings settings,
    Set<String> columns,
    List<PublishedRow> rows,
    Grouping grouping,
    List<String> faults) {
  /** The least number of iterations if the job does not say how many. */
  private static final int DEFAULT_ITERATIONS = 15;

  /** Returns the last heading. */
  String heading() {
    return headings.isEmpty() ? "" : headings.get(headings.size() - 1);
  }

  /** Returns the parameters in the order of the columns. */
  List<String> parameters() {
    return List.copyOf(rows.get(0).parameters().keySet());
  }

  /** Returns the number of samples that a row was to have; null if that is not stated. */
  @Nullable Integer samples(PublishedRow row) {
    Integer iterations = setting(row, "IterationCount", "TargetCount");
    return iterations == null ? null : (Integer) (iterations * launches(row));
  }

  /** Returns the least number of samples that a row was to have; 0 if the text does not tell. */
  int leastSamples(PublishedRow row) {
    Integer samples = samples(row);
    if (samples != null || !hasDefaults(row)) {
      return samples == null ? 0 : samples;
    }
    Integer least = setting(row, "MinIterationCount", "MinTargetIterationCount");
    return launches(row) * (least == null ? DEFAULT_ITERATIONS : least);
  }

  /** Returns whether a row has the default number of iterations, unless the text says another. */
  private boolean hasDefaults(PublishedRow row) {
    return settings.defaults()
        && !JobSettings.isPreset(text(row, "Job"))
        && Set.of("", "Default", "Throughput").contains(text(row, "RunStrategy"));
  }

  private int launches(PublishedRow row) {
    Integer launches = setting(row, "LaunchCount");
    return launches == null ? 1 : launches;
  }

  private @Nullable Integer setting(PublishedRow row, String... names) {
    for (String name : names) {
      if (text(row, name).matches("\\d{1,4}")) {
        return Integer.valueOf(text(row, name));
      }
    }
    return null;
  }

  private String text(PublishedRow row, String name) {
    return row.parameters().getOrDefault(name, settings.values().getOrDefault(name, ""));
  }
}
