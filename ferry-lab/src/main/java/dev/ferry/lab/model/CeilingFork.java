package dev.ferry.lab.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ceilings that are measured alternately in one fork.
 *
 * @param names the ceilings, at least one
 * @param load what a sample of each transfers; null for the run's file, once
 */
public record CeilingFork(List<CeilingName> names, @Nullable Load load) {
  public CeilingFork {
    names = List.copyOf(names);
    if (names.isEmpty()) {
      throw new IllegalArgumentException("there are no ceilings");
    }
  }

  /** Returns the keys of its ceilings. */
  public List<CeilingKey> keys() {
    return names.stream().map(n -> new CeilingKey(n, load)).toList();
  }
}
