package dev.ferry.cli.sync;

import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import org.jspecify.annotations.Nullable;

/** The entries of a folder, in the order of {@link StorePath#compare}. One thread at a time. */
@FunctionalInterface
interface Entries {
  /** Those of a folder that does not exist. */
  Entries NONE = () -> null;

  /** Returns the next entry; null if there are no more. */
  @Nullable Entry next() throws FerryException;

  /** Receives what two folders have of one name. */
  @FunctionalInterface
  interface Visitor {
    /** One of the two may be null, if that folder has no such name. */
    void pair(@Nullable Entry source, @Nullable Entry target) throws FerryException;
  }

  /** Visits all names of two folders in order. Names that no request can have are not paired. */
  static void pair(Entries source, Entries target, Visitor visitor) throws FerryException {
    Entry from = source.next();
    Entry to = target.next();
    while (from != null || to != null) {
      int order = order(from, to);
      visitor.pair(order <= 0 ? from : null, order >= 0 ? to : null);
      from = order <= 0 ? source.next() : from;
      to = order >= 0 ? target.next() : to;
    }
  }

  /** Which of two entries is visited first: negative for the first, 0 for both together. */
  private static int order(@Nullable Entry from, @Nullable Entry to) {
    if (from == null || to == null) {
      return from == null ? 1 : -1;
    }
    if (from.kind() == Entry.Kind.UNNAMED || to.kind() == Entry.Kind.UNNAMED) {
      return from.kind() == Entry.Kind.UNNAMED ? -1 : 1;
    }
    return StorePath.compare(from.name(), to.name());
  }
}
