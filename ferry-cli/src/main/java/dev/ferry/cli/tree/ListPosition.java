package dev.ferry.cli.tree;

import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;
import org.jspecify.annotations.Nullable;

/**
 * How far a list was read, so that only its new entries are taken when the directory is listed
 * again from its start. Entries without a name for requests are counted behind the name before
 * them. One thread at a time.
 */
public final class ListPosition {
  private final @Nullable String after;
  private final long unnamedAfter;
  private @Nullable String last;
  private long unnamed;
  private boolean ordered = true;

  /** The start of a list. */
  public ListPosition() {
    this(null, 0);
  }

  private ListPosition(@Nullable String after, long unnamedAfter) {
    this.after = after;
    this.unnamedAfter = unnamedAfter;
  }

  /** Returns the start of the same list, of which everything up to here is known. */
  public ListPosition again() {
    if (isBefore(last)) {
      return new ListPosition(after, unnamedAfter);
    }
    return new ListPosition(last, isAt(last) ? Math.max(unnamed, unnamedAfter) : unnamed);
  }

  /** Moves to the next entry of the list. Returns whether it is new. */
  public boolean moveTo(FileFacts entry) {
    if (entry.leftOut() == LeftOut.NAME) {
      unnamed++;
      return !isBefore(last) && (!isAt(last) || unnamed > unnamedAfter);
    }
    ordered &= last == null || StorePath.compare(entry.name(), last) > 0;
    last = entry.name();
    unnamed = 0;
    return !isBefore(last) && !isAt(last);
  }

  private boolean isAt(@Nullable String name) {
    return after == null ? name == null : after.equals(name);
  }

  private boolean isBefore(@Nullable String name) {
    return after != null && (name == null || StorePath.compare(name, after) < 0);
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
