package dev.ferry.lab.model;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What one fork measures alternately: most often one row, or both directions of a method, or
 * ceilings of one load.
 *
 * @param keys the rows, at least one
 */
public record RowFork(List<RowKey> keys) {
  public RowFork {
    keys = List.copyOf(keys);
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("there are no rows");
    }
  }

  /** Returns the key of the first row. */
  public RowKey first() {
    return keys.get(0);
  }

  /** Returns whether it measures ceilings. */
  public boolean isCeiling() {
    return first().isCeiling();
  }

  /** Returns what it measures, for display. */
  public String title() {
    return keys.stream().map(RowKey::toString).collect(Collectors.joining("; "));
  }
}
