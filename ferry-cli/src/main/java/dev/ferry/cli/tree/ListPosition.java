package dev.ferry.cli.tree;

import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of a list are new when a directory is listed again from its start: those behind a
 * name. Entries without a name for requests are behind the name before them. One thread at a time.
 */
public final class ListPosition {
  private final @Nullable String after;
  private @Nullable String last;
  private boolean ordered = true;

  /**
   * @param after the last name that is known; null if none is
   */
  public ListPosition(@Nullable String after) {
    this.after = after;
  }

  /** Moves to the next entry of the list. Returns whether it is new. */
  public boolean moveTo(FileFacts entry) {
    if (entry.leftOut() == LeftOut.NAME) {
      return after == null || (last != null && RemoteTree.compare(last, after) >= 0);
    }
    ordered &= last == null || RemoteTree.compare(entry.name(), last) > 0;
    last = entry.name();
    return after == null || RemoteTree.compare(entry.name(), after) > 0;
  }

  /** The last name; null if there was none. */
  public @Nullable String last() {
    return last;
  }

  /** Whether each name was behind the one before it. */
  public boolean isOrdered() {
    return ordered;
  }
}
