package dev.ferry.core.internal;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The modes of local files and folders: the nine permissions of owner, group and others, as chmod
 * writes them in octal. Other bits, such as setuid, are never read or set.
 *
 * <p>File systems without such permissions have no modes. Where one does not let a mode be changed,
 * as on some mounts, the file keeps the one that it has.
 */
public final class Modes {
  /** All permissions. */
  public static final int ALL = 0777;

  /** What the owner of a new file has while it is written. */
  private static final int OWNER_USES = 0600;

  private static final int OWNER_READS = 0400;
  private static final int OWNER_EXECUTES = 0100;
  private static final int OWNER_ENTERS = 0700;

  private static final int ALL_READ = 0444;
  private static final int ALL_EXECUTE = 0111;
  private static final int GROUP = 0070;

  /** From a permission to read to that to execute. */
  private static final int READ_TO_EXECUTE = 2;

  private static final int OTHERS_TO_GROUP = 3;

  /**
   * What a file has on Unix. The numbers of its owner and its group need no look at their names.
   */
  private record Unix(int mode, int uid, int gid) {
    static Unix of(Path file, LinkOption... options) throws IOException {
      Map<String, Object> found = Files.readAttributes(file, "unix:mode,uid,gid", options);
      return new Unix(number(found, "mode") & ALL, number(found, "uid"), number(found, "gid"));
    }

    private static int number(Map<String, Object> found, String name) {
      return (Integer) Objects.requireNonNull(found.get(name));
    }
  }

  private Modes() {}

  private static boolean areKept(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix");
  }

  /** Reads the attributes of a file, with its mode if the file system has any. */
  public static BasicFileAttributes readAttributes(Path file, LinkOption... options)
      throws IOException {
    // The JDK makes the same system call for both.
    Class<? extends BasicFileAttributes> kind =
        areKept(file) ? PosixFileAttributes.class : BasicFileAttributes.class;
    return Files.readAttributes(file, kind, options);
  }

  /** Returns the mode of a file; null if the attributes do not say it. */
  public static @Nullable Integer of(BasicFileAttributes attributes) {
    if (attributes instanceof LocalAttributes local) {
      return local.mode();
    }
    if (!(attributes instanceof PosixFileAttributes posix)) {
      return null;
    }
    int mode = 0;
    for (PosixFilePermission permission : posix.permissions()) {
      mode |= bit(permission);
    }
    return mode;
  }

  /** The constants are in the order of the bits, the highest first. */
  private static int bit(PosixFilePermission permission) {
    return OWNER_READS >> permission.ordinal();
  }

  /** Whether the owner may execute a file of this mode; null if the mode is not known. */
  public static @Nullable Boolean executable(@Nullable Integer mode) {
    return mode == null ? null : (Boolean) ((mode & OWNER_EXECUTES) != 0);
  }

  /**
   * Returns what creates a file or folder with a mode, less the umask of this process: the kernel
   * decides both together, so that no moment has more.
   *
   * @param file names the file system
   * @param mode null for what the file system gives to what is new
   */
  public static FileAttribute<?>[] creating(Path file, @Nullable Integer mode) {
    if (mode == null || !areKept(file)) {
      return new FileAttribute<?>[0];
    }
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (PosixFilePermission permission : PosixFilePermission.values()) {
      if ((mode & bit(permission)) != 0) {
        permissions.add(permission);
      }
    }
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
  }

  /**
   * Returns what creates a folder like another one. Its owner may use it in any case: what is in it
   * has yet to be made.
   *
   * @param folder names the file system
   * @param mode that of the other folder; null if it is not known
   */
  public static FileAttribute<?>[] creatingFolder(Path folder, @Nullable Integer mode) {
    return creating(folder, mode == null ? null : (Integer) (mode | OWNER_ENTERS));
  }

  /**
   * Returns the mode in which to create a file that will have the mode of another one. Whoever may
   * not read that may not read what is written, either; its group may be another one until {@link
   * #replace}.
   *
   * @param replaced the file that it will replace; null if there is none
   * @param source the mode of the file of which it is a copy; null if it is not known
   * @return null for what the file system gives to new files
   */
  public static @Nullable Integer written(
      @Nullable BasicFileAttributes replaced, @Nullable Integer source) {
    Integer mode = replaced == null ? source : of(replaced);
    if (mode == null) {
      return null;
    }
    return (replaced == null ? mode : withoutGroup(mode)) | OWNER_USES;
  }

  /** The group gets no more than all others. */
  private static int withoutGroup(int mode) {
    return mode & (~GROUP | mode << OTHERS_TO_GROUP);
  }

  /**
   * Gives a new file the mode that it was not written in.
   *
   * @param source as for {@link #written}. The owner may read the file in any case.
   */
  public static void finish(Path file, @Nullable Integer source) throws IOException {
    if (source == null) {
      return;
    }
    Integer mode = of(readAttributes(file));
    if (mode != null && mode != (mode & (source | OWNER_READS))) {
      boolean unused = set(file, mode & (source | OWNER_READS));
    }
  }

  /**
   * Returns the mode of a file that replaces another one: that of the other one, and who may read
   * it may execute it if that is so of the source.
   *
   * @param source the mode of the file of which it is a copy; null if it is not known
   */
  public static int replacing(int replaced, @Nullable Integer source) {
    return source == null ? replaced : replaced | (mayExecute(replaced) & source);
  }

  /**
   * Gives a new file the owner, the group and the mode of the one that it is about to replace, as
   * far as this process may. If the group stays another one, it gets no more than all others.
   *
   * @param source as for {@link #replacing}
   */
  public static void replace(Path replaced, Path file, @Nullable Integer source)
      throws IOException {
    if (!areKept(file)) {
      return;
    }
    Unix wanted;
    try {
      wanted = Unix.of(replaced);
    } catch (NoSuchFileException e) {
      // It was deleted just now.
      return;
    }
    Unix own = Unix.of(file, LinkOption.NOFOLLOW_LINKS);
    boolean unused = own.uid == wanted.uid || setAttribute(file, "unix:uid", wanted.uid);
    boolean grouped = own.gid == wanted.gid || setAttribute(file, "unix:gid", wanted.gid);
    int mode = replacing(wanted.mode, source);
    mode = grouped ? mode : withoutGroup(mode);
    if (mode != own.mode) {
      boolean unusedToo = set(file, mode);
    }
  }

  /**
   * Narrows the mode of a file that is about to replace another one by a move: who may not read or
   * write both may do neither. A program stays one.
   *
   * @return what takes that back
   */
  public static Action<IOException> narrow(Path file, Path replaced) throws IOException {
    BasicFileAttributes attributes = readAttributes(file, LinkOption.NOFOLLOW_LINKS);
    Integer own = attributes.isRegularFile() ? of(attributes) : null;
    Integer other = mode(replaced);
    if (own == null || other == null) {
      return () -> {};
    }
    int both = own & other;
    int mode = both | (mayExecute(both) & (own | other));
    if (mode == own || !set(file, mode)) {
      return () -> {};
    }
    return () -> {
      boolean unused = set(file, own);
    };
  }

  /** Returns the mode of a file, also behind a link; null if there is none. */
  private static @Nullable Integer mode(Path file) throws IOException {
    try {
      return of(readAttributes(file));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** The permissions to execute of those who may read. */
  private static int mayExecute(int mode) {
    return (mode & ALL_READ) >> READ_TO_EXECUTE & ALL_EXECUTE;
  }

  private static boolean set(Path file, int mode) {
    return setAttribute(file, "unix:mode", mode);
  }

  /** Somebody else may have put a link in the place of the file. */
  private static boolean setAttribute(Path file, String attribute, Object value) {
    try {
      Path unused = Files.setAttribute(file, attribute, value, LinkOption.NOFOLLOW_LINKS);
      return true;
    } catch (IOException e) {
      System.getLogger(Modes.class.getName())
          .log(Level.DEBUG, "the system does not let " + attribute + " be set", e);
      return false;
    }
  }
}
