package dev.ferry.core.local;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.Action;
import dev.ferry.core.internal.Modes;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import org.jspecify.annotations.Nullable;

/**
 * Deletes and moves files and directories, and makes directories. Each path is that of the name
 * itself: symbolic links in its parents are resolved, and a link at its end is not followed. The
 * caller excludes other changes of these names.
 */
final class LocalChanges {
  private LocalChanges() {}

  /**
   * Deletes a file, a link or an empty directory. Temporary files of killed processes do not count.
   *
   * @param version the version that the file must have; null means any
   * @param label the name in messages
   */
  static void delete(Path file, @Nullable String version, String label) throws IOException {
    FinalName.requireVersion(file, version, label);
    try {
      Files.delete(file);
    } catch (DirectoryNotEmptyException e) {
      if (LeftoverSweep.beforeDeletion(file) == 0) {
        throw notEmpty(label, e);
      }
      try {
        Files.delete(file);
      } catch (DirectoryNotEmptyException again) {
        throw notEmpty(label, again);
      }
    }
  }

  /**
   * Deletes a file, or a directory with all that is in it, also Ferry's temporary files. Links are
   * not followed. What fails is passed over, and the first failure thrown at the end.
   */
  static void deleteTree(Path tree) throws IOException {
    Deletion deletion = new Deletion();
    Files.walkFileTree(tree, deletion);
    if (deletion.failure != null) {
      throw deletion.failure;
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    private @Nullable IOException failure;

    private FileVisitResult delete(Path file) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        failed(e);
      }
      return FileVisitResult.CONTINUE;
    }

    private void failed(IOException e) {
      failure = failure == null ? e : failure;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return delete(file);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      failed(e);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
      return delete(directory);
    }
  }

  /**
   * Makes a directory.
   *
   * @param parents whether missing parents are made, too, and an existing directory is no error
   * @param mode of the directories that are made; null for that of new ones
   */
  static void makeDirectory(Path folder, boolean parents, @Nullable Integer mode)
      throws IOException {
    FileAttribute<?>[] attributes = Modes.creatingFolder(folder, mode);
    if (parents) {
      Files.createDirectories(folder, attributes);
    } else {
      Files.createDirectory(folder, attributes);
    }
  }

  private static FerryException notEmpty(String label, IOException cause) {
    return new FerryException(ErrorKind.NOT_EMPTY, label + ": the folder is not empty", cause);
  }

  /**
   * Moves a file or directory. A file that replaces another one gets no permission that either of
   * them lacks, except those to execute: clients save a file by such a move.
   *
   * @param replace whether a file, but never a directory, replaces a file at the target
   * @param label the name of the source in messages
   * @param targetLabel the name of the target in messages
   */
  static void move(Path source, Path target, boolean replace, String label, String targetLabel)
      throws IOException {
    boolean folder = Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS);
    if (target.equals(source)) {
      throw FinalName.exists(targetLabel, null);
    }
    if (folder && target.startsWith(source)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, label + ": a folder cannot be moved into itself");
    }
    boolean replaces = Files.exists(target, LinkOption.NOFOLLOW_LINKS);
    if (replaces) {
      requireReplaceable(source, target, replace && !folder, targetLabel);
    }
    try {
      if (replaces) {
        replace(source, target);
      } else if (folder || replace) {
        Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
      } else {
        moveToNewName(source, target, targetLabel);
      }
    } catch (AtomicMoveNotSupportedException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          label + ": " + targetLabel + " is on another disk; copy it there and delete it here",
          e);
    }
  }

  private static void replace(Path source, Path target) throws IOException {
    Action<IOException> back = Modes.narrow(source, target);
    boolean moved = false;
    try {
      Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
      moved = true;
    } finally {
      if (!moved) {
        back.run();
      }
    }
  }

  private static void requireReplaceable(
      Path source, Path target, boolean replace, String targetLabel) throws IOException {
    var unused = FinalName.requireNoOther(target, targetLabel);
    // rename(2) does nothing for two names of one file.
    if (!replace || isSame(source, target)) {
      throw FinalName.exists(targetLabel, null);
    }
  }

  private static boolean isSame(Path source, Path target) throws IOException {
    try {
      return Files.isSameFile(source, target);
    } catch (NoSuchFileException e) {
      // The target is a link to nothing.
      return false;
    }
  }

  private static void moveToNewName(Path source, Path target, String targetLabel)
      throws IOException {
    // rename(2) replaces a file that another process creates meanwhile; link(2) fails.
    try {
      Files.createLink(target, source);
    } catch (FileAlreadyExistsException e) {
      throw FinalName.exists(targetLabel, e);
    } catch (UnsupportedOperationException | FileSystemException e) {
      // There are no hard links here, or the target is on another disk.
      Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
      return;
    }
    try {
      Files.delete(source);
    } catch (IOException e) {
      deleteQuietly(target);
      throw e;
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The file has two names. Nothing of it is lost.
      return;
    }
  }
}
