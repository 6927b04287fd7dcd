package dev.ferry.core;

import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of a file or directory.
 *
 * @param name path in the store, with {@code /} between segments; for a local file, the last
 *     segment of its path
 * @param size bytes; 0 for a directory
 * @param lastModified modification time of the file system, truncated to milliseconds
 * @param directory whether it is a directory
 * @param sha256 digest of the whole, unencoded file; null if it is not known
 */
public record FileFacts(
    String name, long size, Instant lastModified, boolean directory, @Nullable Sha256 sha256) {
  /**
   * Creates the facts of a local file or directory, without a digest.
   *
   * @param name path in the store, or the last segment of a local path
   */
  public static FileFacts of(String name, BasicFileAttributes attributes) {
    return new FileFacts(
        name,
        attributes.isDirectory() ? 0 : attributes.size(),
        attributes.lastModifiedTime().toInstant().truncatedTo(ChronoUnit.MILLIS),
        attributes.isDirectory(),
        null);
  }

  /** Returns the same facts with this digest. */
  public FileFacts withSha256(@Nullable Sha256 digest) {
    return new FileFacts(name, size, lastModified, directory, digest);
  }
}
