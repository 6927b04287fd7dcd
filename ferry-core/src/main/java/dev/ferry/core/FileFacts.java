package dev.ferry.core;

import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
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
 * @param crc32c another digest of the same; null if it is not known
 * @param version text that differs for each version of the file at this path, such as {@link
 *     #versionOf} makes it; null if it is not known
 */
public record FileFacts(
    String name,
    long size,
    Instant lastModified,
    boolean directory,
    @Nullable Sha256 sha256,
    @Nullable Crc32c crc32c,
    @Nullable String version) {
  /** Creates facts without a CRC-32C and a version. */
  public FileFacts(
      String name, long size, Instant lastModified, boolean directory, @Nullable Sha256 sha256) {
    this(name, size, lastModified, directory, sha256, null, null);
  }

  /**
   * Creates the facts of a local file or directory, without a digest and a version.
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

  /**
   * Returns the version of a local file: its size, its modification time in nanoseconds and, if the
   * file system has one, its file key (device and inode), shortened to 32 bits.
   *
   * <p>A file that was replaced, rewritten or restored has another version. The exceptions are a
   * file that is rewritten in place with the same size within one tick of the file system's clock,
   * and a program that sets the modification time back. Digests detect both.
   */
  public static String versionOf(BasicFileAttributes attributes) {
    Instant modified = attributes.lastModifiedTime().toInstant();
    return Long.toHexString(attributes.size())
        + '-'
        + Long.toHexString(modified.getEpochSecond())
        + '.'
        + Integer.toHexString(modified.getNano())
        + '-'
        + Integer.toHexString(String.valueOf(attributes.fileKey()).hashCode());
  }

  /** Returns the digest of an algorithm; null if it is not known. */
  public @Nullable Digest digest(Digest.Algorithm algorithm) {
    return switch (algorithm) {
      case CRC32C -> crc32c;
      case SHA256 -> sha256;
    };
  }

  /** Returns the digests that are known. */
  public List<Digest> digests() {
    List<Digest> known = new ArrayList<>();
    for (Digest.Algorithm algorithm : Digest.Algorithm.values()) {
      Digest digest = digest(algorithm);
      if (digest != null) {
        known.add(digest);
      }
    }
    return known;
  }

  /** Returns the same facts without digests. */
  public FileFacts withoutDigests() {
    return new FileFacts(name, size, lastModified, directory, null, null, version);
  }

  /** Returns the same facts with this version; null if it is not known. */
  public FileFacts withVersion(@Nullable String value) {
    return new FileFacts(name, size, lastModified, directory, sha256, crc32c, value);
  }

  /** Returns the same facts with these digests beside the others. */
  public FileFacts withDigests(List<Digest> digests) {
    FileFacts facts = this;
    for (Digest digest : digests) {
      facts = facts.withDigest(digest);
    }
    return facts;
  }

  /** Returns the same facts with this digest beside the others; null adds none. */
  public FileFacts withDigest(@Nullable Digest digest) {
    return new FileFacts(
        name,
        size,
        lastModified,
        directory,
        digest instanceof Sha256 value ? value : sha256,
        digest instanceof Crc32c value ? value : crc32c,
        version);
  }
}
