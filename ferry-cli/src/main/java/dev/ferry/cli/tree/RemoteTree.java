package dev.ferry.cli.tree;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A tree of a server. Directories are listed in batches, so that no list waits for the transfer of
 * its files, and memory is bounded for directories of any size.
 *
 * @param lister lists a directory of the server
 * @param filter chooses the files
 */
public record RemoteTree(Lister lister, NameFilter filter) {
  /** Entries of one batch. For the next one, the directory is listed again. */
  private static final int BATCH = 100_000;

  /** A link to a directory above would otherwise be followed until paths become too long. */
  private static final int DEEPEST = 100;

  /** Lists a directory, as {@link dev.ferry.core.Carrier#list(StorePath, Predicate)} does. */
  @FunctionalInterface
  public interface Lister {
    void list(StorePath directory, Predicate<FileFacts> entries) throws FerryException;
  }

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
    if (depth > DEEPEST) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          directory + ": over " + DEEPEST + " folders deep; is there a link to one above?");
    }
    visitor.directory(path);
    String last = null;
    List<FileFacts> batch;
    do {
      batch = batch(directory, last);
      for (FileFacts entry : batch) {
        String name = name(directory, entry);
        String below = path.isEmpty() ? name : path + "/" + name;
        if (!entry.directory() && filter.takes(below)) {
          visitor.file(below, entry);
        } else if (entry.directory() && filter.enters(below)) {
          walk(directory.child(name), below, depth + 1, visitor);
        }
        last = entry.name();
      }
    } while (batch.size() == BATCH);
  }

  /** Returns the next entries behind a name; null for the first ones. */
  private List<FileFacts> batch(StorePath directory, @Nullable String last) throws FerryException {
    List<FileFacts> batch = new ArrayList<>();
    lister.list(
        directory,
        entry -> {
          if (last == null || compare(entry.name(), last) > 0) {
            batch.add(entry);
          }
          return batch.size() < BATCH;
        });
    return batch;
  }

  /** Returns the last name of an entry, which a hostile server could choose to lead elsewhere. */
  private static String name(StorePath directory, FileFacts entry) throws FerryException {
    StorePath path = StorePath.parse(entry.name());
    String name = path.value().substring(path.value().lastIndexOf('/') + 1);
    if (!directory.child(name).equals(path)) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          directory + ": the server lists '" + path + "' there, which is somewhere else");
    }
    return name;
  }

  /** Compares names in the order of lists. */
  public static int compare(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }
}
