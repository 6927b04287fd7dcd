package dev.ferry.wire;

import dev.ferry.core.StoreRule;
import java.util.List;

/**
 * Someone that a server serves.
 *
 * @param name for people; says nothing to the server
 * @param rules what the caller may do; see {@link dev.ferry.core.GuardedStore}
 * @param limits how much it may use of the server
 */
public record Caller(String name, List<StoreRule> rules, CallerLimits limits) {
  /** Creates a caller without limits. */
  public Caller(String name, List<StoreRule> rules) {
    this(name, rules, CallerLimits.NONE);
  }

  /** Copies the rules. */
  public Caller {
    rules = List.copyOf(rules);
  }
}
