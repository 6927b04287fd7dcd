package dev.ferry.cli.sync;

import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.tree.FolderRefused;
import dev.ferry.cli.tree.NameFilter;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.Action;
import dev.ferry.core.internal.Modes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the whole source, and copies what is missing in the target or differs there; or all of it,
 * if nothing is compared.
 *
 * @param incomplete receives the paths of folders of which the source has more than it can name
 * @param backup receives what is replaced; null if it is not kept
 */
record CopyPass(
    SyncDirection direction,
    Comparison comparison,
    NameFilter filter,
    Set<String> incomplete,
    @Nullable Backup backup,
    TreeTransfers transfers,
    SyncReport report) {
  /** How the files of both ends are compared, if their sizes are equal. */
  enum Comparison {
    /** Not at all: the target is not listed. What it has is found when a file is to replace it. */
    NONE,
    TIMES,
    DIGESTS
  }

  /**
   * Begins all copies.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the source does not exist, before
   *     anything is changed
   */
  void run() throws FerryException {
    Entries source = direction.source().list("");
    Entries target = comparison == Comparison.NONE ? null : direction.target().find("");
    if (target == null && !isThere()) {
      make(new NewFolder("", direction.source().mode("")));
    }
    boolean unused = folder("", null, source, target == null ? Entries.NONE : target);
    transfers.foundAll();
  }

  /** Whether a local target is known to exist, without a look at it. */
  private boolean isThere() {
    return direction.target() instanceof LocalSide local && Files.isDirectory(local.root());
  }

  /**
   * A folder that the target lacks. A server makes it, and those above it, for the first file that
   * is in it, without a request of its own; but all of them with the permissions of this one. So
   * one with others has to be there before.
   */
  private static final class NewFolder {
    private final String path;
    private final @Nullable Integer mode;
    private boolean made;

    NewFolder(String path, @Nullable Integer mode) {
      this.path = path;
      this.mode = mode;
    }
  }

  /**
   * Begins to copy what is in a folder.
   *
   * @param made the folder in the target; null if it exists there
   * @return whether something was begun that makes the folder in the target, if it is a server
   */
  private boolean folder(String path, @Nullable NewFolder made, Entries source, Entries target)
      throws FerryException {
    boolean[] filled = {false};
    Entries.pair(
        source,
        target,
        (from, to) -> {
          if (from == null) {
            return;
          }
          if (from.kind() == Entry.Kind.UNNAMED) {
            unnamed(path, from);
          } else {
            filled[0] |= entry(Side.child(path, from.name()), made, from, to);
          }
        });
    return filled[0];
  }

  private void unnamed(String folder, Entry from) {
    boolean unused = incomplete.add(folder);
    if (filter.asksFor(Side.child(folder, new StorePath(from.name()).name()))) {
      report.missing().leftOut(from.name(), from.reason());
    }
  }

  /** Returns whether something was begun in the target. */
  private boolean entry(String path, @Nullable NewFolder above, Entry from, @Nullable Entry to)
      throws FerryException {
    if (filter.reserves(path)) {
      report.leftOutForBackup(direction.source().name(path));
      return false;
    }
    switch (from.kind()) {
      case FOLDER -> {
        return filter.enters(path)
            && report.missing().succeeds(() -> folder(path, above, from, to));
      }
      case FILE -> {
        if (filter.takes(path)) {
          return file(path, above, from, to);
        }
      }
      case LINK, OTHER, UNNAMED -> {
        if (filter.asksFor(path)) {
          link(path, above, from, to);
        }
      }
    }
    return false;
  }

  private void link(String path, @Nullable NewFolder above, Entry from, @Nullable Entry to)
      throws FerryException {
    String target = from.link();
    if (target == null) {
      report.missing().leftOut(direction.source().name(path), from.reason());
    } else if (to != null && to.isFolder()) {
      report.missing().failed(folderThere(path, "symbolic link"));
    } else if (to != null && to.kind() == Entry.Kind.OTHER) {
      report.missing().failed(notReplaced(path, to));
    } else if (to != null && target.equals(to.link())) {
      report.totals().unchanged();
    } else {
      if (above != null && !report.missing().succeeds(() -> makeNow(above))) {
        return;
      }
      Backup replaced = to == null ? null : backup;
      change(() -> copy(path, from, replaced, () -> direction.link(path, target)));
    }
  }

  /** Begins a task that is about one name, and copies no file. */
  private void change(Action<FerryException> task) throws FerryException {
    transfers.beginChange(() -> report.missing().attempt(task));
  }

  private void folder(String path, @Nullable NewFolder above, Entry from, @Nullable Entry to)
      throws FerryException {
    Entries source = direction.source().list(path);
    if (to == null) {
      NewFolder made = new NewFolder(path, from.mode());
      boolean isLocal = direction.target() instanceof LocalSide;
      if (isLocal) {
        makeNow(made);
      } else if (above != null && !Objects.equals(above.mode, made.mode)) {
        makeNow(above);
      }
      boolean filled = folder(path, made, source, Entries.NONE);
      if (!filled && !made.made) {
        change(() -> make(made));
      }
      return;
    }
    if (to.kind() == Entry.Kind.LINK) {
      throw LocalSide.isLink(Path.of(direction.target().name(path)));
    }
    if (!to.isFolder()) {
      report.missing().failed(FolderRefused.fileThere(direction.target().name(path)));
      return;
    }
    boolean unused = folder(path, null, source, direction.target().list(path));
  }

  private FerryException folderThere(String path, String wanted) throws FerryException {
    return new FerryException(
        ErrorKind.ALREADY_EXISTS,
        "%s: is a folder, and a %s in the source; move one of them away"
            .formatted(direction.target().name(path), wanted));
  }

  private FerryException notReplaced(String path, Entry there) throws FerryException {
    return new FerryException(
        ErrorKind.ALREADY_EXISTS,
        direction.target().name(path) + ": is not replaced, " + there.reason());
  }

  private void makeNow(NewFolder folder) throws FerryException {
    if (!folder.made) {
      make(folder);
      folder.made = true;
    }
  }

  private void make(NewFolder folder) throws FerryException {
    if (!report.dryRun()) {
      direction.target().makeFolder(folder.path, folder.mode);
    }
  }

  /** Returns whether something was begun in the target. */
  private boolean file(String path, @Nullable NewFolder above, Entry from, @Nullable Entry to)
      throws FerryException {
    if (to != null && to.isFolder()) {
      report.missing().failed(folderThere(path, "file"));
      return false;
    }
    if (to != null && to.kind() == Entry.Kind.OTHER) {
      report.missing().failed(notReplaced(path, to));
      return false;
    }
    boolean digests = comparison == Comparison.DIGESTS;
    Entry.Likeness likeness = to == null ? Entry.Likeness.DIFFERENT : from.likeness(to, digests);
    if (likeness == Entry.Likeness.EQUAL) {
      report.totals().unchanged();
      return false;
    }
    Backup replaced = to == null ? null : backup;
    boolean compare = likeness == Entry.Likeness.UNKNOWN;
    if (!compare && replaced == null && !report.dryRun()) {
      Integer folderMode = above == null ? null : above.mode;
      return report.missing().succeeds(() -> direction.begin(path, from, folderMode));
    }
    // The file that it replaces is not there any more when it is kept elsewhere.
    Integer there = replaced == null || to == null ? null : to.mode();
    Integer mode = there == null ? null : (Integer) Modes.replacing(there, from.mode());
    Action<FerryException> copied =
        () -> {
          if (compare && direction.equal(path)) {
            report.totals().unchanged();
          } else {
            copy(path, from, replaced, () -> direction.copy(path, from, mode));
          }
        };
    transfers.begin(() -> report.missing().attempt(copied));
    return true;
  }

  /**
   * @param replaced receives the file of the target; null if there is none, or it is not kept
   * @param step makes the copy
   */
  private void copy(String path, Entry from, @Nullable Backup replaced, Action<FerryException> step)
      throws FerryException {
    if (report.dryRun()) {
      report.wouldCopy(direction.source().name(path), direction.target().name(path), from.size());
      return;
    }
    Backup holder = replaced != null && replaced.keep(path) ? replaced : null;
    boolean copied = false;
    try {
      step.run();
      copied = true;
    } finally {
      if (holder != null && !copied) {
        holder.restore(path);
      }
    }
  }
}
