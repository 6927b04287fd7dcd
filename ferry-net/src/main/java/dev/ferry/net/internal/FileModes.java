package dev.ferry.net.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what with a local file. File systems without POSIX permissions say nothing of it; all
 * files on them count as private.
 */
public final class FileModes {
  private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rw-------");

  private FileModes() {}

  private static @Nullable PosixFileAttributeView view(Path file) {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class);
  }

  /** Returns the permissions; none if the file system has none. */
  public static Set<PosixFilePermission> of(Path file) throws IOException {
    PosixFileAttributeView view = view(file);
    return view == null ? Set.of() : view.readAttributes().permissions();
  }

  /** Returns whether the group or all users may write to a file. */
  public static boolean othersMayWrite(Path file) throws IOException {
    return !Collections.disjoint(
        of(file), EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE));
  }

  /** Returns whether the group or all users may read a file. */
  public static boolean othersMayRead(Path file) throws IOException {
    return !Collections.disjoint(
        of(file), EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ));
  }

  /** Creates an empty file that its owner alone may read and write. */
  public static void createPrivate(Path file) throws IOException {
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(OWN));
    } else {
      Files.createFile(file);
    }
  }

  /** Lets nobody but its owner read and write a file. */
  public static void makePrivate(Path file) throws IOException {
    PosixFileAttributeView view = view(file);
    if (view != null) {
      view.setPermissions(OWN);
    }
  }

  /** Writes lines to an empty file, and forces them to the disk. */
  public static void write(Path file, Iterable<String> lines) throws IOException {
    Files.write(file, lines);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Gives a file the owner, the group and the permissions of another one. */
  public static void copy(Path from, Path to) throws IOException {
    PosixFileAttributeView source = view(from);
    PosixFileAttributeView target = view(to);
    if (source != null && target != null) {
      PosixFileAttributes attributes = source.readAttributes();
      target.setOwner(attributes.owner());
      target.setGroup(attributes.group());
      target.setPermissions(attributes.permissions());
    }
  }
}
