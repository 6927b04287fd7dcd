package dev.ferry.cli.sync;

import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.progress.SharedDisplay;
import dev.ferry.cli.tree.NameFilter;
import dev.ferry.cli.tree.ParallelTasks;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the whole source, and copies what is missing in the target or differs there.
 *
 * @param incomplete receives the paths of folders of which the source has more than it can name
 * @param backup receives what is replaced; null if it is not kept
 * @param digests whether files are compared by their digests and not by their times
 */
record CopyPass(
    SyncDirection direction,
    NameFilter filter,
    Set<String> incomplete,
    @Nullable Backup backup,
    boolean digests,
    ParallelTasks tasks,
    SharedDisplay shared,
    SyncReport report) {
  /**
   * Begins all copies.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the source does not exist, before
   *     anything is changed
   */
  void run() throws FerryException {
    Entries source = direction.source().list("");
    Entries target = direction.target().find("");
    if (target == null) {
      make("");
    }
    folder("", source, target == null ? Entries.NONE : target);
  }

  private void folder(String path, Entries source, Entries target) throws FerryException {
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
            entry(Side.child(path, from.name()), from, to);
          }
        });
  }

  private void unnamed(String folder, Entry from) {
    boolean unused = incomplete.add(folder);
    if (filter.asksFor(Side.child(folder, new StorePath(from.name()).name()))) {
      report.missing().leftOut(from.name(), from.reason());
    }
  }

  private void entry(String path, Entry from, @Nullable Entry to) throws FerryException {
    if (filter.reserves(path)) {
      report.leftOutForBackup(direction.source().name(path));
      return;
    }
    switch (from.kind()) {
      case FOLDER -> {
        if (filter.enters(path)) {
          report.missing().attempt(() -> folder(path, to));
        }
      }
      case FILE -> {
        if (filter.takes(path)) {
          file(path, from, to);
        }
      }
      case LINK, OTHER, UNNAMED -> {
        if (filter.asksFor(path)) {
          link(path, from, to);
        }
      }
    }
  }

  private void link(String path, Entry from, @Nullable Entry to) throws FerryException {
    String target = from.link();
    if (target == null) {
      report.missing().leftOut(direction.source().name(path), from.reason());
    } else if (to != null && to.isFolder()) {
      report.missing().failed(inTheWay(path, "folder", "symbolic link"));
    } else if (to != null && to.kind() == Entry.Kind.OTHER) {
      report.missing().failed(notReplaced(path, to));
    } else if (to != null && target.equals(to.link())) {
      report.totals().unchanged();
    } else {
      Backup replaced = to == null ? null : backup;
      tasks.begin(
          () ->
              report
                  .missing()
                  .attempt(() -> copy(path, from, replaced, () -> makeLink(path, target))));
    }
  }

  private void makeLink(String path, String target) throws FerryException {
    direction.target().makeLink(path, target);
    report.linked(direction.source().name(path), direction.target().name(path), target);
  }

  private void folder(String path, @Nullable Entry to) throws FerryException {
    Entries source = direction.source().list(path);
    if (to == null) {
      make(path);
      folder(path, source, Entries.NONE);
      return;
    }
    if (to.kind() == Entry.Kind.LINK) {
      throw TreeTransfers.isLink(Path.of(direction.target().name(path)));
    }
    if (!to.isFolder()) {
      report.missing().failed(inTheWay(path, "file", "folder"));
      return;
    }
    folder(path, source, direction.target().list(path));
  }

  private FerryException inTheWay(String path, String there, String wanted) throws FerryException {
    return new FerryException(
        ErrorKind.ALREADY_EXISTS,
        "%s: is a %s, and a %s in the source; move one of them away"
            .formatted(direction.target().name(path), there, wanted));
  }

  private FerryException notReplaced(String path, Entry there) throws FerryException {
    return new FerryException(
        ErrorKind.ALREADY_EXISTS,
        direction.target().name(path) + ": is not replaced, " + there.reason());
  }

  private void make(String folder) throws FerryException {
    if (!report.dryRun()) {
      ParallelTasks.Task make = () -> direction.target().makeFolder(folder);
      tasks.begin(folder.isEmpty() ? make : () -> report.missing().attempt(make));
    }
  }

  private void file(String path, Entry from, @Nullable Entry to) throws FerryException {
    if (to != null && to.isFolder()) {
      report.missing().failed(inTheWay(path, "folder", "file"));
      return;
    }
    if (to != null && to.kind() == Entry.Kind.OTHER) {
      report.missing().failed(notReplaced(path, to));
      return;
    }
    Entry.Likeness likeness = to == null ? Entry.Likeness.DIFFERENT : from.likeness(to, digests);
    if (likeness == Entry.Likeness.EQUAL) {
      report.totals().unchanged();
      return;
    }
    boolean compare = likeness == Entry.Likeness.UNKNOWN;
    tasks.begin(
        () ->
            report
                .missing()
                .attempt(
                    () -> {
                      if (compare && direction.equal(path, shared.begin())) {
                        report.totals().unchanged();
                      } else {
                        copy(
                            path,
                            from,
                            to == null ? null : backup,
                            () -> direction.copy(path, from, shared.begin(), report.totals()));
                      }
                    }));
  }

  /**
   * @param replaced receives the file of the target; null if there is none, or it is not kept
   * @param step makes the copy
   */
  private void copy(String path, Entry from, @Nullable Backup replaced, ParallelTasks.Task step)
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
