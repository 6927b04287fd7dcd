package dev.ferry.core;

import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a file before its first byte.
 *
 * @param name path in the store, {@code /} between segments; of a local file its last segment
 * @param size bytes; 0 for a directory
 * @param lastModified as the file system has it, to the millisecond
 * @param directory whether it is a directory and not a file
 * @param sha256 digest of the whole, unencoded file, only where it is known already
 */
public record FileFacts(
    String name, long size, Instant lastModified, boolean directory, @Nullable Sha256 sha256) {
  /**
   * The facts of a local file or directory, without a digest.
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

  /** The same facts with a digest. */
  public FileFacts withSha256(@Nullable Sha256 digest) {
    return new FileFacts(name, size, lastModified, directory, digest);
  }
}
