package dev.ferry.net;

import dev.ferry.core.StoreRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Someone that a server serves.
 *
 * @param name for people; says nothing to the server
 * @param rules what the caller may do; see {@link dev.ferry.core.GuardedStore}
 * @param limit how many requests it may send; null for no limit
 */
public record Caller(String name, List<StoreRule> rules, @Nullable RequestLimit limit) {
  /** Creates a caller without a limit. */
  public Caller(String name, List<StoreRule> rules) {
    this(name, rules, null);
  }

  /** Copies the rules. */
  public Caller {
    rules = List.copyOf(rules);
  }
}
