package dev.ferry.core.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Finds the part of a path that is missing, or that is a file instead of a folder. */
public final class PathParts {
  private PathParts() {}

  /** What the caller expects at the end of a path. */
  public enum Wanted {
    /** A file or folder to read or query. */
    ANYTHING,
    /** A folder. */
    FOLDER,
    /** A new file; only its parent folders must exist. */
    NEW_FILE
  }

  /**
   * The first part of a path that cannot be resolved.
   *
   * @param part the path up to and including this part
   * @param missing whether the part does not exist; otherwise it is a file
   */
  public record Obstacle(Path part, boolean missing) {}

  /**
   * Finds the first part of an absolute path that cannot be resolved. Returns null if there is
   * none, or if it cannot be determined.
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
   * Converts a failure, naming the part of the path that caused it.
   *
   * @param path absolute
   * @param label the caller's name for the path; ends with the same segments
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
        // A file in place of a parent folder prevents writing below it. For readers, nothing exists
        // below it.
        wanted == Wanted.NEW_FILE ? ErrorKind.ALREADY_EXISTS : ErrorKind.NOT_FOUND,
        shown + ": is a file, not a folder",
        e);
  }

  /** Removes from the label the segments that follow the part. */
  private static String shown(Path path, String label, Path part) {
    Path shown = path.getFileSystem().getPath(label);
    for (int i = part.getNameCount(); shown != null && i < path.getNameCount(); i++) {
      shown = shown.getParent();
    }
    return shown == null ? part.toString() : shown.toString();
  }
}
