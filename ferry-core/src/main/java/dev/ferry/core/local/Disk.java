package dev.ferry.core.local;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells what a disk has left. Thread-safe. */
@FunctionalInterface
interface Disk {
  /** Those of this machine. */
  Disk LOCAL = Disk::lookAtLocal;

  /**
   * What a folder's disk has.
   *
   * @param key equal for folders on the same disk
   * @param size bytes, of all
   * @param usable bytes that this process can still write
   */
  record ConcurrencyLimiter(Object key, long size, long usable) {}

  /** Looks at the disk of a folder. */
  ConcurrencyLimiter look(Path folder);

  private static ConcurrencyLimiter lookAtLocal(Path folder) {
    File file = folder.toFile();
    long size = file.getTotalSpace();
    // Both are 0 where the system does not say: then the disk is as large as it likes.
    long usable = size == 0 ? Long.MAX_VALUE : file.getUsableSpace();
    return new ConcurrencyLimiter(key(folder), size, usable);
  }

  private static Object key(Path folder) {
    try {
      return Files.getAttribute(folder, "unix:dev");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      // No POSIX: all folders count as on one disk.
      return "disk";
    }
  }
}
