package dev.ferry.cli.sync;

import dev.ferry.cli.tree.NameFilter;
import dev.ferry.cli.tree.ParallelTasks;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares the names, the sizes and the digests of two sides. What only one side has is named
 * without what is below it.
 *
 * @param sizeOnly whether digests are left out
 */
record CheckPass(
    Side a, Side b, NameFilter filter, boolean sizeOnly, ParallelTasks tasks, CheckReport report) {
  /** Begins all comparisons. */
  void run() throws FerryException {
    folder("", a.list(""), b.list(""));
  }

  private void folder(String path, Entries ofA, Entries ofB) throws FerryException {
    Entries.pair(
        ofA,
        ofB,
        (one, other) -> {
          Entry known = one == null ? Objects.requireNonNull(other) : one;
          String below =
              known.kind() == Entry.Kind.UNNAMED ? known.name() : Side.child(path, known.name());
          if (isChosen(below, known)) {
            entry(below, one, other);
          }
        });
  }

  private boolean isChosen(String path, Entry entry) {
    return switch (entry.kind()) {
      case FOLDER -> filter.enters(path);
      case FILE -> filter.takes(path);
      case LINK, OTHER -> filter.asksFor(path);
      case UNNAMED -> true;
    };
  }

  private void entry(String path, @Nullable Entry one, @Nullable Entry other)
      throws FerryException {
    if (isLeftOut(path, one) || isLeftOut(path, other)) {
      return;
    }
    if (one == null || other == null) {
      boolean folder = (one == null ? Objects.requireNonNull(other) : one).isFolder();
      report.differs(
          path + (folder ? "/" : ""),
          one == null ? "only-in-b" : "only-in-a",
          "only in " + (one == null ? report.b() : report.a()));
    } else if (one.kind() != other.kind()) {
      report.differs(path, "kind", "is a " + name(one) + ", and a " + name(other) + " in B");
    } else if (one.isFolder()) {
      report.missing().attempt(() -> folder(path, a.list(path), b.list(path)));
    } else if (one.kind() == Entry.Kind.LINK) {
      found(Objects.equals(one.link(), other.link()), path, "link", "leads elsewhere");
    } else if (one.size() != other.size()) {
      report.differs(path, "size", "has %d bytes, and %d in B".formatted(one.size(), other.size()));
    } else if (sizeOnly) {
      report.equal();
    } else {
      tasks.begin(() -> report.missing().attempt(() -> compare(path, one.size())));
    }
  }

  /** Says why a name is not compared. */
  private boolean isLeftOut(String path, @Nullable Entry entry) {
    if (entry == null || entry.reason().isEmpty()) {
      return false;
    }
    report.missing().leftOut(path, entry.reason());
    return true;
  }

  private void compare(String path, long size) throws FerryException {
    Digest ofA = a.digest(path, size);
    Digest ofB = b.digest(path, size);
    found(ofA.equals(ofB), path, "content", "differs, " + ofA + " and " + ofB + " in B");
  }

  private void found(boolean equal, String path, String reason, String text) {
    if (equal) {
      report.equal();
    } else {
      report.differs(path, reason, text);
    }
  }

  private static String name(Entry entry) {
    return entry.isFolder() ? "folder" : entry.kind() == Entry.Kind.LINK ? "link" : "file";
  }
}
