package dev.ferry.core.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A file that is open, and locked against other processes and other users in this one. The lock is
 * that of the file that has the name now, and not of one that was deleted meanwhile. Links are not
 * followed. One thread at a time.
 */
record LockedFile(Path file, FileChannel channel) implements AutoCloseable {
  /** Attempts to open a file that others delete meanwhile. */
  private static final int ATTEMPTS = 5;

  /**
   * The files that are locked in this process. They are not opened a second time: closing any
   * channel of a file may release all locks that the process holds on it ({@link
   * java.nio.channels.FileLock}).
   */
  private static final Set<Path> IN_USE = ConcurrentHashMap.newKeySet();

  /**
   * Opens and locks a file.
   *
   * @param file its path; the links of its folder are resolved
   * @param make whether it is made if it does not exist
   * @return null if it is locked elsewhere, or does not exist
   */
  static @Nullable LockedFile open(Path file, boolean make) throws IOException {
    if (!IN_USE.add(file)) {
      return null;
    }
    FileChannel locked = null;
    try {
      locked = locked(file, make);
      return locked == null ? null : new LockedFile(file, locked);
    } finally {
      if (locked == null) {
        IN_USE.remove(file);
      }
    }
  }

  private static @Nullable FileChannel locked(Path file, boolean make) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (make) {
        make(file);
      }
      Object before = key(file);
      FileChannel opened = before == null ? null : opened(file);
      if (opened != null) {
        boolean used = false;
        try {
          if (!locks(opened)) {
            return null;
          }
          // Whoever had the lock before may have deleted the file between the two steps.
          used = Objects.equals(before, key(file));
          if (used) {
            return opened;
          }
        } finally {
          if (!used) {
            opened.close();
          }
        }
      }
    }
    return null;
  }

  private static void make(Path file) throws IOException {
    try {
      Path unused = Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // That one is used.
      return;
    }
  }

  /** Returns what tells the file from others; null if it does not exist. */
  private static @Nullable Object key(Path file) throws IOException {
    try {
      Object key =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey();
      // Windows has none. A deleted file keeps its name there until it is closed.
      return key == null ? file : key;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static @Nullable FileChannel opened(Path file) throws IOException {
    try {
      return FileChannel.open(
          file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      // Another process has just deleted it.
      return null;
    }
  }

  private static boolean locks(FileChannel opened) throws IOException {
    try {
      return opened.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // The same file under another name.
      return false;
    }
  }

  /** Whether nobody has written to the file for {@link StateFile#UNUSED}. */
  boolean isUnused() throws IOException {
    return StateFile.isUnused(file);
  }

  /** Deletes the file while it is locked, so that nobody else uses it. */
  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      IN_USE.remove(file);
    }
  }
}
