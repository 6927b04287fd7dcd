package dev.ferry.cli.tree;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;
import dev.ferry.core.local.SymbolicLinks;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A tree of a server. Its directories are read as {@link RemoteFolder} does.
 *
 * @param lister lists a directory of the server
 * @param filter chooses the files
 * @param links whether links are made as links, and not followed
 * @param missing receives the names that are left out, and the folders that cannot be listed
 */
public record RemoteTree(
    RemoteFolder.Lister lister, NameFilter filter, boolean links, MissingNames missing) {
  /** A server that lists a directory in itself would otherwise be followed without end. */
  private static final int DEEPEST = 1000;

  /**
   * Visits a directory and all that is below it.
   *
   * @throws FerryException as the visitor throws it, or with {@link ErrorKind#INVALID_PATH} if the
   *     server lists a name that cannot be in the directory
   */
  public void walk(StorePath root, TreeVisitor<FileFacts> visitor) throws FerryException {
    walk(root, "", 0, visitor);
  }

  private void walk(StorePath directory, String path, int depth, TreeVisitor<FileFacts> visitor)
      throws FerryException {
    requireDepth(directory, depth);
    if (!visitor.directory(path)) {
      return;
    }
    RemoteFolder folder = RemoteFolder.open(lister, directory);
    for (FileFacts entry = folder.next(); entry != null; entry = folder.next()) {
      LeftOut reason = entry.leftOut();
      if (reason == LeftOut.NAME) {
        String last = new StorePath(entry.name()).name();
        if (filter.asksFor(path.isEmpty() ? last : path + "/" + last)) {
          missing.leftOut(entry.name(), reason.reason());
        }
        continue;
      }
      String name = folder.name(entry);
      String below = path.isEmpty() ? name : path + "/" + name;
      if (links && entry.link() != null) {
        link(below, entry, visitor);
      } else if (entry.directory()) {
        if (filter.enters(below)) {
          missing.attempt(() -> walk(directory.child(name), below, depth + 1, visitor));
        }
      } else if (filter.takes(below)) {
        if (reason == null) {
          visitor.file(below, entry);
        } else {
          missing.leftOut(entry.name(), reason.reason());
        }
      }
    }
  }

  private void link(String below, FileFacts entry, TreeVisitor<FileFacts> visitor)
      throws FerryException {
    if (!filter.asksFor(below)) {
      return;
    }
    String to = linkTarget(entry, below);
    if (to.isEmpty()) {
      missing.leftOut(entry.name(), LocalTree.LEADS_OUT);
    } else {
      visitor.link(below, entry, to);
    }
  }

  /**
   * Returns the target of a link of a server, whatever the server says.
   *
   * @param below its path in the tree
   * @return empty if it is not relative, or not in the tree
   */
  public static String linkTarget(FileFacts link, String below) {
    String target = link.link();
    return target != null && SymbolicLinks.staysInside(LocalTree.depth(below), target)
        ? target
        : "";
  }

  /**
   * Checks how deep a directory is below the root of a tree.
   *
   * @throws FerryException with {@link ErrorKind#INTERNAL}, which ends a copy, if the server
   *     probably lists a directory in itself
   */
  public static void requireDepth(StorePath directory, int depth) throws FerryException {
    if (depth > DEEPEST) {
      throw new FerryException(
          ErrorKind.INTERNAL,
          directory + ": over " + DEEPEST + " folders deep; does the server list one in itself?");
    }
  }

  /** Compares names in the order of lists. */
  public static int compare(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }
}
