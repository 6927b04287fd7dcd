package dev.ferry.cli.sync;

import dev.ferry.cli.tree.RemoteTree;
import dev.ferry.core.FerryException;
import org.jspecify.annotations.Nullable;

/** The entries of a folder, in the order of {@link RemoteTree#compare}. One thread at a time. */
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

  /** Visits all names of two folders in order. */
  static void pair(Entries source, Entries target, Visitor visitor) throws FerryException {
    Entry from = source.next();
    Entry to = target.next();
    while (from != null || to != null) {
      int order = from == null ? 1 : to == null ? -1 : RemoteTree.compare(from.name(), to.name());
      visitor.pair(order <= 0 ? from : null, order >= 0 ? to : null);
      from = order <= 0 ? source.next() : from;
      to = order >= 0 ? target.next() : to;
    }
  }
}
