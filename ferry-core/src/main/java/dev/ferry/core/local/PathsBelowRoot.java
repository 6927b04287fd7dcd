package dev.ferry.core.local;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.Action;
import dev.ferry.core.internal.PathParts;
import dev.ferry.core.internal.PathParts.Wanted;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files of {@link StorePath}s below the root of a store. Symbolic links are followed only
 * if they stay below it. Thread-safe.
 *
 * <p>A path that was found has no links among its folders, until a request moves a folder away and
 * a link there. So paths are found and used within one {@link #using}, which excludes {@link
 * #replacing}. Whoever uses a path later, checks it again. Other processes are not excluded.
 */
final class PathsBelowRoot {
  private static final int FEW_NAMES = 4;

  private static final int MOMENT_MILLIS = 10;
  private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Elsewhere, a file may have several names that differ in case or in the form of a letter. */
  private static final boolean LINUX = System.getProperty("os.name", "").equals("Linux");

  private final Path root;

  /** The write lock is held while something is moved, or a link is made. */
  private final ReadWriteLock folders = new ReentrantReadWriteLock();

  /** Guarded by the lock. */
  private long replacements;

  /** Uses paths, and may fail. */
  @FunctionalInterface
  interface Use<T, E extends Exception> {
    T run() throws E;
  }

  /**
   * @param root the folder, with all symbolic links resolved
   */
  PathsBelowRoot(Path root) {
    this.root = root;
  }

  Path root() {
    return root;
  }

  /**
   * Finds paths and uses them. Within this, a thread may call it again. It must not wait for other
   * threads that may.
   */
  <T, E extends Exception> T using(Use<T, E> use) throws E {
    folders.readLock().lock();
    try {
      return use.run();
    } finally {
      folders.readLock().unlock();
    }
  }

  /** Finds paths and uses them as {@link #using}, without a result. */
  <E extends Exception> void use(Action<E> use) throws E {
    boolean unused =
        using(
            () -> {
              use.run();
              return true;
            });
  }

  /**
   * Makes a link, or moves what may be a link or a folder. The paths are found within this. While
   * this waits for uses to end, others cannot begin, so it waits for moments alone: a use may hang,
   * for instance on a disk that does not respond.
   *
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if there was no moment without a use
   *     in ten seconds, or {@link ErrorKind#CANCELLED} if the thread was interrupted
   */
  void replacing(Action<FerryException> change) throws FerryException {
    lockAtAMoment();
    try {
      replacements++;
      change.run();
    } finally {
      folders.writeLock().unlock();
    }
  }

  private void lockAtAMoment() throws FerryException {
    long end = System.nanoTime() + MOST_WAIT_NANOS;
    try {
      while (!folders.writeLock().tryLock(MOMENT_MILLIS, TimeUnit.MILLISECONDS)) {
        if (System.nanoTime() - end > 0) {
          throw new FerryException(
              ErrorKind.OVERLOADED,
              "the server's disk is slow, and folders cannot be moved meanwhile; try again");
        }
        Thread.sleep(MOMENT_MILLIS);
      }
    } catch (InterruptedException e) {
      throw FerryException.interrupted("cancelled before a move", e);
    }
  }

  /** Returns how often {@link #replacing} has run. Called within {@link #using}. */
  long replacements() {
    return replacements;
  }

  /** Whether a folder that was found before still exists, and is where it was. */
  boolean isInPlace(Path folder) {
    try {
      return real(folder).equals(folder);
    } catch (IOException e) {
      // What cannot be reached is not used again either.
      return false;
    }
  }

  /** Whether those folders of a path that was found before which exist are where they were. */
  boolean hasFoldersInPlace(Path file) {
    return isInPlace(deepestExistingParent(file));
  }

  /** The path of a name that may not exist, without following a link at its end. */
  Path unfollowed(StorePath path) throws FerryException {
    return withParentsResolved(StorePath.parse(path.value()));
  }

  /** The path of a name that something new is to get. */
  Path created(StorePath path) throws FerryException {
    path.requireDepth();
    return unfollowed(path);
  }

  /** Resolves a path below the root. Checks only its text, which excludes "..". */
  Path located(StorePath path) throws FerryException {
    String text = StorePath.parseDirectory(path.value()).value();
    String separator = root.getFileSystem().getSeparator();
    if (!separator.equals("/") && text.contains(separator)) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          "invalid path '" + path + "': '" + separator + "' separates names on this server");
    }
    try {
      return root.resolve(text);
    } catch (InvalidPathException e) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          "invalid path '" + path + "': the server's locale cannot express it; try LC_ALL=C.UTF-8",
          e);
    }
  }

  Path existing(StorePath path, Wanted wanted) throws FerryException {
    Path file = located(path);
    try {
      Path real = real(file);
      requireInside(real, path);
      return real;
    } catch (IOException e) {
      throw unreachable(e, wanted, file, path);
    }
  }

  FerryException unreachable(IOException e, Wanted wanted, Path file, StorePath path)
      throws FerryException {
    if (e instanceof FerryException known) {
      return known;
    }
    PathParts.Obstacle obstacle = PathParts.obstacle(file, wanted);
    if (obstacle == null) {
      return FerryException.of(e, path.value());
    }
    Path above = obstacle.part().getParent();
    if (above == null || !above.startsWith(root)) {
      return folderRemoved(e);
    }
    try {
      // Do not reveal what is missing outside the store.
      requireInside(above.toRealPath(), path);
    } catch (IOException gone) {
      return FerryException.of(gone, path.value());
    }
    return PathParts.explain(e, wanted, file, path.value(), obstacle);
  }

  private static FerryException folderRemoved(IOException e) {
    return new FerryException(ErrorKind.NOT_FOUND, "the store's folder was removed", e);
  }

  /**
   * Resolves the path of a file that may not exist, including all links in its existing parents.
   */
  private Path withParentsResolved(StorePath path) throws FerryException {
    Path target = located(path);
    Path parent = realParent(target);
    if (parent != null) {
      requireInside(parent, path);
      return parent.resolve(target.getFileName());
    }
    while (true) {
      Path existing = deepestExistingParent(target);
      try {
        Path real = existing.toRealPath();
        requireInside(real, path);
        return real.resolve(existing.relativize(target));
      } catch (NoSuchFileException e) {
        if (Files.isSymbolicLink(existing)) {
          throw new FerryException(
              ErrorKind.INVALID_PATH,
              "invalid path '" + path + "': a symbolic link leads nowhere",
              e);
        }
        if (existing.equals(root)) {
          throw folderRemoved(e);
        }
        // A cancelled upload removed the directories that it had created: try a higher one.
      } catch (IOException e) {
        throw FerryException.of(e, path.value());
      }
    }
  }

  /**
   * Resolves all links of a path below the root. If it has none, it is itself: looking at the few
   * names below the root costs less than resolving the names above it, too.
   */
  private Path real(Path file) throws IOException {
    int count = file.getNameCount() - root.getNameCount();
    return LINUX && count <= FEW_NAMES && hasNoLinks(file, count) ? file : file.toRealPath();
  }

  private static boolean hasNoLinks(Path file, int count) {
    Path part = file;
    try {
      for (int i = 0; i < Math.max(count, 1) && part != null; i++) {
        BasicFileAttributes found =
            Files.readAttributes(part, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (found.isSymbolicLink()) {
          return false;
        }
        part = part.getParent();
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The directory of a file, with all links resolved; null unless it can be reached. */
  private @Nullable Path realParent(Path file) {
    Path parent = file.getParent();
    try {
      return parent == null ? null : real(parent);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Returns whether a directory below the root has nothing of a name. If not, there may be
   * something, or the directory cannot be reached. Asks without an exception, which would cost more
   * than the system calls.
   */
  boolean lacks(StorePath path) throws FerryException {
    Path file = located(path);
    if (isThere(file)) {
      return false;
    }
    Path parent = realParent(file);
    return parent != null && parent.startsWith(root);
  }

  /** Whether something has a name, or a link of that name leads to something. */
  static boolean isThere(Path file) {
    // Files.exists makes an exception for what is missing, which costs more than the system call.
    return file.getFileSystem() == FileSystems.getDefault()
        ? file.toFile().exists()
        : Files.exists(file);
  }

  private Path deepestExistingParent(Path target) {
    Path p = target.getParent();
    while (p != null && !p.equals(root) && !Files.exists(p, LinkOption.NOFOLLOW_LINKS)) {
      p = p.getParent();
    }
    return p == null ? root : p;
  }

  private void requireInside(Path real, StorePath path) throws FerryException {
    if (!real.startsWith(root)) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          "invalid path '" + path + "': a symbolic link leads out of the store");
    }
  }
}
