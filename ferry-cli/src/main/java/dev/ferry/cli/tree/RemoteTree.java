package dev.ferry.cli.tree;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A tree of a server. Its directories are read as {@link RemoteFolder} does.
 *
 * @param lister lists a directory of the server
 * @param filter chooses the files
 */
public record RemoteTree(RemoteFolder.Lister lister, NameFilter filter) {
  /** A link to a directory above would otherwise be followed until paths become too long. */
  private static final int DEEPEST = 100;

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
    visitor.directory(path);
    RemoteFolder folder = RemoteFolder.open(lister, directory);
    for (FileFacts entry = folder.next(); entry != null; entry = folder.next()) {
      String name = folder.name(entry);
      String below = path.isEmpty() ? name : path + "/" + name;
      if (!entry.directory() && filter.takes(below)) {
        visitor.file(below, entry);
      } else if (entry.directory() && filter.enters(below)) {
        walk(directory.child(name), below, depth + 1, visitor);
      }
    }
  }

  /**
   * Checks how deep a directory is below the root of a tree.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH} if there is probably a link to a
   *     directory above
   */
  public static void requireDepth(StorePath directory, int depth) throws FerryException {
    if (depth > DEEPEST) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          directory + ": over " + DEEPEST + " folders deep; is there a link to one above?");
    }
  }

  /** Compares names in the order of lists. */
  public static int compare(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }
}
