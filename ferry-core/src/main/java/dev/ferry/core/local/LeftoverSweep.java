package dev.ferry.core.local;

import dev.ferry.core.StorePath;
import dev.ferry.core.internal.StateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Deletes temporary files of processes that no longer run, as {@link TemporaryNames} tells. Those
 * with which a later process may go on stay until nobody has written to them for {@link
 * StateFile#UNUSED}. Files that cannot be read or deleted are skipped.
 */
final class LeftoverSweep {
  private LeftoverSweep() {}

  /** Sweeps a directory, without its subdirectories. Returns the number of deleted files. */
  static int in(Path directory) {
    return in(directory, LeftoverSweep::isUnused);
  }

  /**
   * Sweeps a directory that is to be deleted, also of files with which a process may go on. If it
   * has anything else, so that it cannot be deleted, nothing is swept.
   */
  static int beforeDeletion(Path directory) {
    return hasLeftoversAlone(directory) ? in(directory, file -> true) : 0;
  }

  private static boolean hasLeftoversAlone(Path directory) {
    try (DirectoryStream<Path> names = Files.newDirectoryStream(directory)) {
      for (Path file : names) {
        if (!isLeftover(file) || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          return false;
        }
      }
      return true;
    } catch (IOException | DirectoryIteratorException e) {
      // The deletion of the folder will say so.
      return false;
    }
  }

  private static boolean isLeftover(Path file) {
    return TemporaryNames.isLeftover(file, Instant.now());
  }

  private static int in(Path directory, Predicate<Path> unused) {
    int swept = 0;
    try (DirectoryStream<Path> names = Files.newDirectoryStream(directory)) {
      for (Path file : names) {
        // No pattern of the JDK, which takes longer to make than all the rest.
        if (String.valueOf(file.getFileName()).startsWith(StorePath.RESERVED_PREFIX)
            && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && sweep(file, unused)) {
          swept++;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // What is left here takes space alone, and a later sweep may find it.
      return swept;
    }
    return swept;
  }

  /**
   * Sweeps a directory tree without following links, using at most a quarter of one core. Ends
   * early if the thread is interrupted, and keeps the interrupt status.
   *
   * @return the number of deleted files
   */
  static int below(PathsBelowRoot paths) {
    Visitor visitor = new Visitor(paths);
    try {
      Files.walkFileTree(paths.root(), visitor);
    } catch (IOException e) {
      throw new UncheckedIOException("the visitor throws none", e);
    }
    return visitor.swept;
  }

  private static boolean sweep(Path file, Predicate<Path> unused) {
    try {
      return isLeftover(file) && unused.test(file) && Files.deleteIfExists(file);
    } catch (IOException e) {
      // A later sweep may delete it.
      return false;
    }
  }

  private static boolean isUnused(Path file) {
    if (!TemporaryNames.isKept(String.valueOf(file.getFileName()))) {
      return true;
    }
    try {
      Instant written = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
      return written.isBefore(Instant.now().minus(StateFile.UNUSED));
    } catch (IOException e) {
      // Its owner may just have given it its name.
      return false;
    }
  }

  private static final class Visitor extends SimpleFileVisitor<Path> {
    private static final int STRETCH = 256;
    private static final int REST_PER_WORK = 3;

    private final PathsBelowRoot paths;
    private int swept;
    private int visited;
    private long workingSince = System.nanoTime();

    Visitor(PathsBelowRoot paths) {
      this.paths = paths;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      if (TemporaryNames.isTree(String.valueOf(directory.getFileName())) && isLeftover(directory)) {
        if (paths.using(() -> sweepTree(directory))) {
          swept++;
        }
        return FileVisitResult.SKIP_SUBTREE;
      }
      return paced();
    }

    /** Deletes what a killed process has copied for a folder that did not get its name. */
    private boolean sweepTree(Path directory) {
      try {
        if (paths.hasFoldersInPlace(directory)) {
          LocalChanges.deleteTree(directory);
          return true;
        }
      } catch (IOException e) {
        // A later sweep may delete it.
        return false;
      }
      return false;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (attributes.isRegularFile() && paths.using(() -> sweep(file, this::isUnusedBelow))) {
        swept++;
      }
      return paced();
    }

    /** A request may have replaced a folder by a link that leads out since it was reached. */
    private boolean isUnusedBelow(Path file) {
      return paths.hasFoldersInPlace(file) && isUnused(file);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return paced();
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
      return FileVisitResult.CONTINUE;
    }

    /** Sleeps regularly to limit the use of the processor and the disk. */
    private FileVisitResult paced() {
      if (++visited % STRETCH == 0) {
        try {
          TimeUnit.NANOSECONDS.sleep(REST_PER_WORK * (System.nanoTime() - workingSince));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        workingSince = System.nanoTime();
      }
      return Thread.currentThread().isInterrupted()
          ? FileVisitResult.TERMINATE
          : FileVisitResult.CONTINUE;
    }
  }
}
