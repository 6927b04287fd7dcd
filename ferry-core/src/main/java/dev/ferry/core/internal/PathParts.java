package dev.ferry.core.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Says which part of a path is missing, or is a file where a folder is needed. */
public final class PathParts {
  private PathParts() {}

  /** What was to be found at the end of a path. */
  public enum Wanted {
    /** Something to read or to be told about. */
    ANYTHING,
    /** A folder. */
    FOLDER,
    /** A place for a new file: the folders above it. */
    NEW_FILE
  }

  /**
   * What keeps a path from being reached.
   *
   * @param part the first part of the path that does
   * @param missing whether there is nothing of that name; otherwise it is a file
   */
  public record Obstacle(Path part, boolean missing) {}

  /**
   * What keeps an absolute path from being reached; null where nothing does, or nobody may know.
   */
  public static @Nullable Obstacle obstacle(Path path, Wanted wanted) {
    int count = path.getNameCount();
    Path part = path.getRoot();
    for (int i = 0; part != null && i < count; i++) {
      boolean last = i == count - 1;
      if (last && wanted == Wanted.NEW_FILE) {
        return null;
      }
      part = part.resolve(path.getName(i));
      try {
        boolean folder = Files.readAttributes(part, BasicFileAttributes.class).isDirectory();
        if (!folder && (!last || wanted == Wanted.FOLDER)) {
          return new Obstacle(part, false);
        }
      } catch (NoSuchFileException e) {
        return new Obstacle(part, true);
      } catch (IOException e) {
        return null;
      }
    }
    return null;
  }

  /**
   * Gives a failure its kind, and the name of the part that is to blame.
   *
   * @param path absolute
   * @param label what the caller calls it, which ends with the same names
   */
  public static FerryException explain(IOException e, Wanted wanted, Path path, String label) {
    Obstacle obstacle = obstacle(path, wanted);
    return obstacle == null
        ? FerryException.of(e, label)
        : explain(e, wanted, path, label, obstacle);
  }

  public static FerryException explain(
      IOException e, Wanted wanted, Path path, String label, Obstacle obstacle) {
    String shown = shown(path, label, obstacle.part());
    if (obstacle.missing()) {
      boolean folder = wanted != Wanted.ANYTHING || !obstacle.part().equals(path);
      return new FerryException(
          ErrorKind.NOT_FOUND, shown + ": no such " + (folder ? "folder" : "file"), e);
    }
    return new FerryException(
        // Below a file there is nothing; only for a writer it is in the way.
        wanted == Wanted.NEW_FILE ? ErrorKind.ALREADY_EXISTS : ErrorKind.NOT_FOUND,
        shown + ": is a file, not a folder",
        e);
  }

  /** The label without the names that come behind the part. */
  private static String shown(Path path, String label, Path part) {
    Path shown = path.getFileSystem().getPath(label);
    for (int i = part.getNameCount(); shown != null && i < path.getNameCount(); i++) {
      shown = shown.getParent();
    }
    return shown == null ? part.toString() : shown.toString();
  }
}
