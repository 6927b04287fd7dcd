package dev.ferry.lab.model;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ceilings that are measured alternately in one fork.
 *
 * @param names the ceilings, at least one
 * @param load what a sample of each transfers; null for the run's file, once
 */
public record CeilingFork(List<CeilingName> names, @Nullable Load load) implements ForkTask {
  public CeilingFork {
    names = List.copyOf(names);
    if (names.isEmpty()) {
      throw new IllegalArgumentException("there are no ceilings");
    }
  }

  @Override
  public List<CeilingKey> keys() {
    return names.stream().map(n -> new CeilingKey(n, load)).toList();
  }

  @Override
  public String title() {
    return keys().stream().map(CeilingKey::toString).collect(Collectors.joining("; "));
  }
}
