package dev.ferry.core.local;

import dev.ferry.core.internal.Action;
import dev.ferry.core.internal.Modes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The directories of files that are received. */
final class Directories {
  /** Retries if directories vanish between two system calls, which happens rarely. */
  static final int MAKE_ATTEMPTS = 100;

  private Directories() {}

  /** Returns the highest part of a path that does not exist; null if all exist. */
  static @Nullable Path firstMissing(Path directory) {
    Path missing = null;
    for (Path p = directory; p != null && Files.notExists(p); p = p.getParent()) {
      missing = p;
    }
    return missing;
  }

  static @Nullable Path higher(@Nullable Path a, @Nullable Path b) {
    return a == null || (b != null && a.startsWith(b)) ? b : a;
  }

  /**
   * Removes empty directories.
   *
   * @param first the highest to remove; null removes none
   */
  static void removeEmpty(Path deepest, @Nullable Path first) {
    if (first == null) {
      return;
    }
    Path parentOfFirst = first.getParent();
    try {
      for (Path p = deepest; p != null && !p.equals(parentOfFirst); p = p.getParent()) {
        // A file that replaced the directory belongs to another process.
        if (Files.isDirectory(p, LinkOption.NOFOLLOW_LINKS)) {
          Files.deleteIfExists(p);
        }
      }
    } catch (IOException e) {
      // The directory is not empty: another process uses it.
      return;
    }
  }

  /**
   * Makes the directory of a file and then runs a step, which needs it.
   *
   * @param mode of the directories that are made; null for that of new ones
   * @return the highest directory that was made; null if all existed
   */
  static @Nullable Path makeFor(Path file, @Nullable Integer mode, Action<IOException> step)
      throws IOException {
    Path directory = file.getParent();
    Path first = directory == null ? null : firstMissing(directory);
    for (int attempt = 1; ; attempt++) {
      try {
        if (directory != null) {
          Files.createDirectories(directory, Modes.creatingFolder(directory, mode));
        }
        step.run();
        return first;
      } catch (NoSuchFileException e) {
        // A cancelled upload removed the directories that it had created.
        if (attempt == MAKE_ATTEMPTS || directory == null) {
          throw e;
        }
        first = higher(first, firstMissing(directory));
      }
    }
  }

  /**
   * Forces a directory to the disk, and those above it that were made. A rename survives a power
   * failure only after that.
   *
   * @param first the highest that was made; null if none was
   */
  static void force(@Nullable Path deepest, @Nullable Path first) throws IOException {
    Path top = first == null ? deepest : first.getParent();
    for (Path p = deepest; p != null; p = p.equals(top) ? null : p.getParent()) {
      try (FileChannel channel = FileChannel.open(p, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
