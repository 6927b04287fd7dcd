package dev.ferry.wire.internal;

import com.sun.security.auth.module.UnixSystem;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.Modes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what with a local file. File systems without POSIX permissions say nothing of it; all
 * files on them count as private. Others are the group and all users.
 */
public final class FileModes {
  private static final int ROOT = 0;

  /** The bit of a folder in which only the owner of a file may rename or delete it. */
  private static final int STICKY = 01000;

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

  /**
   * Returns why other users than root and that of this process may change or replace a file: by
   * writing to it or to its folder, or as the owner of one of them. Of a symbolic link, this holds
   * for the link and for the file that it leads to.
   *
   * @return null if nobody may; else one line with the remedy
   */
  public static @Nullable String distrust(Path file) throws IOException {
    return hasOwners(file) ? distrust(file, (int) new UnixSystem().getUid()) : null;
  }

  private static boolean hasOwners(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix");
  }

  /** Lets nobody but its owner read and write a file. */
  public static void makePrivate(Path file) throws IOException {
    PosixFileAttributeView view = view(file);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString("rw-------"));
    }
  }

  static @Nullable String distrust(Path file, int self) throws IOException {
    Path real = file.toRealPath();
    if (othersMayWrite(real)) {
      return file + ": others may write to it; run chmod go-w " + file;
    }
    for (Path name : List.of(file.toAbsolutePath(), real)) {
      if (!isOwn(name, self)) {
        return file + ": another user owns it; run chown to make it yours or root's";
      }
      Path folder = name.getParent();
      if (folder != null && !isOwn(folder.toRealPath(), self)) {
        return file + ": another user owns the folder " + folder + "; move the file to another";
      }
      if (folder != null && othersMayWrite(folder) && !isSticky(folder)) {
        return file + ": others may write to its folder; run chmod go-w " + folder;
      }
    }
    return null;
  }

  /**
   * Reads a text file that decides who may do what.
   *
   * @throws IOException if {@linkplain #distrust others may change it}, or it is not in UTF-8
   */
  public static String trustedText(Path file) throws IOException {
    return text(file, distrust(file));
  }

  /**
   * Reads a text file as {@link #trustedText} does in a process of the file's owner. So root can
   * change the file of a server that another user runs.
   *
   * @throws IOException as {@link #trustedText} in such a process
   */
  public static String textOfOwner(Path file) throws IOException {
    return text(file, hasOwners(file) ? distrust(file, owner(file.toRealPath())) : null);
  }

  private static String text(Path file, @Nullable String distrust) throws IOException {
    if (distrust != null) {
      throw new FerryException(ErrorKind.PERMISSION_DENIED, distrust);
    }
    // Unlike those of String, this decoder refuses what is malformed.
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
        .toString();
  }

  private static boolean isOwn(Path file, int self) throws IOException {
    int owner = owner(file);
    return owner == ROOT || owner == self;
  }

  private static int owner(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isSticky(Path folder) throws IOException {
    return ((int) Files.getAttribute(folder, "unix:mode") & STICKY) != 0;
  }

  /** Creates an empty file that its owner alone may read and write. */
  public static void createPrivate(Path file) throws IOException {
    Files.createFile(file, Modes.creating(file, 0600));
  }

  /** Creates an empty folder that its owner alone may use. */
  public static void createPrivateFolder(Path folder) throws IOException {
    Files.createDirectory(folder, Modes.creating(folder, 0700));
  }

  /** Writes lines to a file that is empty or does not exist, and forces them to the disk. */
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
