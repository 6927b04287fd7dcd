package dev.ferry.core.local;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.internal.FileTimes;
import dev.ferry.core.internal.LocalAttributes;
import dev.ferry.core.internal.Modes;
import dev.ferry.core.local.PathsBelowRoot.Use;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Gives a complete file its name, under the conditions of its creator. */
final class FinalName {
  private static final int NANOS_OF_MILLI = 1_000_000;

  /** Gives a complete file its name. An implementation may do more at that moment. */
  @FunctionalInterface
  interface Naming {
    /**
     * Runs the rename.
     *
     * @param file the file's final path
     * @param complete the facts before: they have the verified digest, if there is one, and no
     *     version
     * @param rename returns the facts of the file under its name
     * @return those
     */
    FileFacts name(Path file, FileFacts complete, Use<FileFacts, IOException> rename)
        throws IOException;
  }

  private FinalName() {}

  /**
   * Creates the file that will get the name. From the first byte on, nobody may read it who may not
   * read the complete file.
   *
   * @param replaced the file that has the name now; null if there is none
   */
  static FileChannel openNew(
      Path temporary, @Nullable BasicFileAttributes replaced, SinkOptions options)
      throws IOException {
    Integer mode = Modes.written(replaced, options.create().mode());
    return options.opener().open(temporary, Modes.creating(temporary, mode));
  }

  /**
   * Gives a complete file its permissions, and the owner and the group of the file that it is to
   * replace.
   *
   * @param label the name in messages
   * @throws FerryException as {@link #replaced}
   */
  static void own(Path temporary, Path target, String label, CreateOptions create)
      throws IOException {
    if (replaced(target, label, create) != null) {
      Modes.replace(target, temporary, create.mode());
    } else {
      Modes.finish(temporary, create.mode());
    }
  }

  /**
   * Renames a file. The check of the replaced version and the rename are two steps, so the caller
   * excludes other renames to this name.
   *
   * @param label the name in messages
   */
  static void give(Path temporary, Path target, String label, CreateOptions conditions)
      throws IOException {
    if (conditions.createOnly()) {
      create(temporary, target, label);
      return;
    }
    requireVersion(target, conditions.replaced(), label);
    Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Returns the file that is to be replaced.
   *
   * @param label the name in messages
   * @return null if there is none, or it is to stay
   * @throws FerryException as {@link #requireNoOther}
   */
  static @Nullable BasicFileAttributes replaced(Path target, String label, CreateOptions conditions)
      throws FerryException {
    return conditions.createOnly() ? null : requireNoOther(target, label);
  }

  /**
   * Returns the facts of a file that has just got its name. That gave it its last change time, so
   * it has its version only now, and nothing may change an attribute of it later.
   *
   * @param complete the facts before
   * @return with a version, unless another process has replaced or deleted the file already
   */
  static FileFacts named(Path target, FileFacts complete) {
    try {
      LocalAttributes now = LocalAttributes.read(target, LinkOption.NOFOLLOW_LINKS);
      return now.isRegularFile() && now.size() == complete.size()
          ? now.facts(complete.name()).withDigests(complete.digests())
          : complete;
    } catch (IOException e) {
      // It was complete, and had its name.
      return complete;
    }
  }

  /**
   * Checks that a name is free, or that of a file or of a link to one or to nothing. A rename would
   * replace everything else but a directory: for instance a device, by which other programs work.
   *
   * @return the file; null if there is none
   * @throws FerryException with {@link ErrorKind#ALREADY_EXISTS} if it is a directory, or {@link
   *     ErrorKind#INVALID_PATH} if it is a device, a named pipe or a socket
   */
  static @Nullable BasicFileAttributes requireNoOther(Path target, String label)
      throws FerryException {
    if (!PathsBelowRoot.isThere(target)) {
      return null;
    }
    BasicFileAttributes found;
    try {
      found = Modes.readAttributes(target);
    } catch (IOException e) {
      // Nothing is there, or what follows fails, too, and says why.
      return null;
    }
    if (found.isDirectory()) {
      throw new FerryException(ErrorKind.ALREADY_EXISTS, label + ": is a folder");
    }
    if (found.isOther()) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          label + ": is a device, a named pipe or a socket, which no file replaces");
    }
    return found;
  }

  /**
   * Checks the version of a file.
   *
   * @param wanted null means any version, or no file
   */
  static void requireVersion(Path file, @Nullable String wanted, String label) throws IOException {
    if (wanted != null && !wanted.equals(version(file))) {
      throw new FerryException(
          ErrorKind.VERSION_MISMATCH,
          label + ": was replaced or deleted meanwhile; read its new version first");
    }
  }

  /**
   * Gives a complete file the modification time that its creator wants, to the millisecond. The
   * rest is random: if a file is replaced by one of the same size and time, and the file system
   * reuses the inode number, they still have different versions.
   *
   * @param label the name in messages
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the file system cannot keep
   *     the time
   */
  static void date(Path temporary, String label, CreateOptions conditions) throws IOException {
    Instant time = conditions.lastModified();
    if (time == null) {
      return;
    }
    int rest = ThreadLocalRandom.current().nextInt(NANOS_OF_MILLI);
    FileTimes.set(temporary, time.truncatedTo(ChronoUnit.MILLIS).plusNanos(rest), label);
  }

  private static @Nullable String version(Path file) throws IOException {
    try {
      return LocalAttributes.read(file).version();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static void create(Path temporary, Path target, String label) throws IOException {
    // rename(2) replaces an existing file; link(2) fails if the name exists.
    try {
      Files.createLink(target, temporary);
    } catch (FileAlreadyExistsException e) {
      throw exists(label, e);
    } catch (UnsupportedOperationException | FileSystemException e) {
      // Without hard links, the check and the rename are two steps. Without ATOMIC_MOVE, Files.move
      // would copy a file to another disk, under its final name from the first byte on.
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        throw exists(label, e);
      }
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      return;
    }
    deleteIfPossible(temporary);
  }

  /** The file has its name. A later sweep deletes the temporary one if this does not. */
  private static void deleteIfPossible(Path temporary) {
    // A name that is no text for the JDK would be another one.
    boolean exact = temporary.toString().indexOf('\uFFFD') < 0;
    if (exact && temporary.getFileSystem() == FileSystems.getDefault()) {
      // One system call: Files.delete looks first whether it is a folder.
      boolean unused = temporary.toFile().delete();
      return;
    }
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      return;
    }
  }

  static FerryException exists(String label, @Nullable Throwable cause) {
    return new FerryException(ErrorKind.ALREADY_EXISTS, label + ": already exists", cause);
  }
}
