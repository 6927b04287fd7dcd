package dev.ferry.core.internal;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether local files may be executed, on file systems that have such a permission. */
public final class ExecuteBit {
  private ExecuteBit() {}

  /** Reads the attributes of a file, with its permissions if the file system has any. */
  public static BasicFileAttributes readAttributes(Path file, LinkOption... options)
      throws IOException {
    // The JDK makes the same system call for both.
    Class<? extends BasicFileAttributes> kind =
        isKept(file) ? PosixFileAttributes.class : BasicFileAttributes.class;
    return Files.readAttributes(file, kind, options);
  }

  private static boolean isKept(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Returns whether the owner of a file may execute it; null if the attributes do not say it. */
  public static @Nullable Boolean of(BasicFileAttributes attributes) {
    return attributes instanceof PosixFileAttributes posix
        ? posix.permissions().contains(PosixFilePermission.OWNER_EXECUTE)
        : null;
  }

  /**
   * Lets all who may read a file execute it. Without effect where the file system has no such
   * permission, or does not let it be changed, as on some mounts.
   */
  public static void set(Path file) {
    if (!isKept(file)) {
      return;
    }
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      allow(permissions, PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_EXECUTE);
      allow(permissions, PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_EXECUTE);
      allow(permissions, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_EXECUTE);
      Files.setPosixFilePermissions(file, permissions);
    } catch (IOException e) {
      System.getLogger(ExecuteBit.class.getName())
          .log(Level.DEBUG, "the file system does not keep the execute permission", e);
    }
  }

  private static void allow(
      Set<PosixFilePermission> permissions, PosixFilePermission read, PosixFilePermission execute) {
    if (permissions.contains(read)) {
      permissions.add(execute);
    }
  }
}
