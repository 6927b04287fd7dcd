package dev.ferry.core.local;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Queries the free space of a disk. Thread-safe. */
@FunctionalInterface
interface Disk {
  /** The disks of this machine. */
  Disk LOCAL = Disk::lookAtLocal;

  /**
   * The space of a folder's disk.
   *
   * @param key equal for folders on the same disk
   * @param size total bytes
   * @param usable bytes that this process can still write
   */
  record Space(Object key, long size, long usable) {}

  /** Queries the disk of a folder. */
  Space look(Path folder);

  private static Space lookAtLocal(Path folder) {
    File file = folder.toFile();
    long size = file.getTotalSpace();
    // Both are 0 if the system does not report them. The space then counts as unlimited.
    long usable = size == 0 ? Long.MAX_VALUE : file.getUsableSpace();
    return new Space(key(folder), size, usable);
  }

  /** Returns a key that is equal for folders on the same disk. */
  static Object key(Path folder) {
    try {
      return Files.getAttribute(folder, "unix:dev");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      // Without POSIX attributes, all folders count as being on the same disk.
      return "disk";
    }
  }
}
