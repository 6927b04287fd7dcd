package dev.ferry.lab.model;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows that are measured alternately in one fork: most often one, or both directions of a method.
 *
 * @param keys the rows, at least one
 */
public record RowFork(List<RowKey> keys) implements ForkTask {
  public RowFork {
    keys = List.copyOf(keys);
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("there are no rows");
    }
  }

  @Override
  public String title() {
    return keys.stream().map(RowKey::toString).collect(Collectors.joining("; "));
  }
}
