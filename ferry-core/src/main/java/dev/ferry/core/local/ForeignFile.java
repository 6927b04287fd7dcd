package dev.ferry.core.local;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Transfer;
import dev.ferry.core.internal.PathParts;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The target of a download in another file system than the default one, such as a zip archive. What
 * such file systems can do differs: few write a file in parts, or replace one by a rename. So the
 * file is received in a private folder of the default file system, and copied when it is complete.
 *
 * @param target absolute
 * @param folder its folder
 * @param label the target as it was given
 */
record ForeignFile(Path target, Path folder, String label, CreateOptions conditions) {
  /** Receives a file of the default file system. */
  @FunctionalInterface
  interface Receiver {
    Transfer receive(Path staged, CreateOptions create) throws FerryException;
  }

  /** Whether a path is not one of the default file system. */
  static boolean is(Path path) {
    return path.getFileSystem() != FileSystems.getDefault();
  }

  /** Receives a file and gives it its name. Nothing is left in any other case. */
  static Transfer receive(Path target, CreateOptions conditions, Receiver receiver)
      throws FerryException {
    Path absolute = target.toAbsolutePath();
    Path parent = absolute.getParent();
    if (parent == null) {
      throw new FerryException(ErrorKind.ALREADY_EXISTS, target + ": is a folder");
    }
    ForeignFile file = new ForeignFile(absolute, parent, target.toString(), conditions);
    Path own = null;
    Path staged = null;
    try {
      file.requireFree();
      own = Files.createTempDirectory("ferry-");
      staged = own.resolve("download");
      CreateOptions create = conditions.withCreateOnly(false).withReplaced(null);
      Transfer transfer = receiver.receive(staged, create);
      return new Transfer(
          file.put(staged, transfer.facts()),
          transfer.wireBytes(),
          transfer.protocol(),
          transfer.encoding(),
          transfer.resumedAt());
    } catch (IOException e) {
      throw FerryException.of(e, file.label);
    } finally {
      delete(staged);
      delete(own);
    }
  }

  private static void delete(@Nullable Path leftover) {
    try {
      if (leftover != null) {
        boolean unused = Files.deleteIfExists(leftover);
      }
    } catch (IOException e) {
      // The system deletes it with its other temporary files.
      return;
    }
  }

  /** Refuses, before a byte is received, what would fail in the end. */
  private void requireFree() throws IOException {
    if (target.getFileSystem().isReadOnly()) {
      throw new FerryException(
          ErrorKind.PERMISSION_DENIED, label + ": its file system is read-only");
    }
    if (Files.isDirectory(target)) {
      throw new FerryException(ErrorKind.ALREADY_EXISTS, label + ": is a folder");
    }
    if (conditions.createOnly() && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw FinalName.exists(label, null);
    }
    if (!conditions.makeParents()) {
      try {
        BasicFileAttributes unused = Files.readAttributes(folder, BasicFileAttributes.class);
      } catch (IOException e) {
        throw PathParts.explain(e, PathParts.Wanted.NEW_FILE, target, label);
      }
    }
  }

  /** Copies the complete file to its name. */
  private FileFacts put(Path staged, FileFacts received) throws IOException {
    Path made = conditions.makeParents() ? Directories.firstMissing(folder) : null;
    Path copy = TemporaryNames.fresh(folder);
    boolean named = false;
    try {
      if (made != null) {
        Files.createDirectories(folder);
      }
      Files.copy(staged, copy, StandardCopyOption.COPY_ATTRIBUTES);
      BasicFileAttributes attributes = Files.readAttributes(copy, BasicFileAttributes.class);
      if (Thread.currentThread().isInterrupted()) {
        throw new FerryException(ErrorKind.CANCELLED, label + ": cancelled");
      }
      name(copy);
      named = true;
      FileFacts complete = FileFacts.of(LocalFileSink.nameOf(target), attributes);
      return FinalName.named(target, complete.withDigests(received.digests()));
    } finally {
      if (!named) {
        delete(copy);
        Directories.removeEmpty(folder, made);
      }
    }
  }

  private void name(Path copy) throws IOException {
    if (conditions.createOnly()) {
      try {
        Files.move(copy, target);
      } catch (FileAlreadyExistsException e) {
        throw FinalName.exists(label, e);
      }
      return;
    }
    var unused = FinalName.requireNoOther(target, label);
    FinalName.requireVersion(target, conditions.replaced(), label);
    try {
      Files.move(copy, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException | UnsupportedOperationException e) {
      Files.move(copy, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
