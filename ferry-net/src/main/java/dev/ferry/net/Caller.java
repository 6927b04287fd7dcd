package dev.ferry.net;

import dev.ferry.core.StoreRule;
import java.util.List;

/**
 * Someone that a server serves.
 *
 * @param name for people; says nothing to the server
 * @param rules what the caller may do; see {@link dev.ferry.core.GuardedStore}
 */
public record Caller(String name, List<StoreRule> rules) {
  /** Copies the rules. */
  public Caller {
    rules = List.copyOf(rules);
  }
}
