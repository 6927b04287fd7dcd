package dev.ferry.core;

import dev.ferry.core.internal.Modes;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of a file or directory, or of an entry of a directory that is left out.
 *
 * @param name path in the store, with {@code /} between segments; for a local file, the last
 *     segment of its path; text for people if its name is {@linkplain LeftOut#NAME left out}
 * @param size bytes; 0 for a directory; {@link #UNKNOWN_SIZE} for what is read once only, until its
 *     end
 * @param lastModified modification time of the file system, truncated to milliseconds; {@link
 *     #UNKNOWN_TIME} if it is not known
 * @param directory whether it is a directory
 * @param sha256 digest of the whole, unencoded file; null if it is not known
 * @param crc32c another digest of the same; null if it is not known
 * @param version text that differs for each version of the file at this path; null if it is not
 *     known
 * @param leftOut why this is neither a file nor a directory that can be transferred; null if it is
 *     one
 * @param mode the permissions of its owner, its group and others, from 0 to 0777; null if they are
 *     not known
 * @param link the target of a symbolic link in a list, relative and with {@code /} between names;
 *     empty if it leads out of the store, is absolute or is not told; null if it is no link, or if
 *     that is not known
 */
public record FileFacts(
    String name,
    long size,
    Instant lastModified,
    boolean directory,
    @Nullable Sha256 sha256,
    @Nullable Crc32c crc32c,
    @Nullable String version,
    @Nullable LeftOut leftOut,
    @Nullable Integer mode,
    @Nullable String link) {
  /** A modification time that is not known. No file has it. */
  public static final Instant UNKNOWN_TIME = Instant.ofEpochMilli(Long.MIN_VALUE);

  /** A size that is known only at the end of a {@link FileSource}. */
  public static final long UNKNOWN_SIZE = -1;

  /** The last time that can be sent. */
  private static final Instant LAST_TIME = Instant.ofEpochMilli(Long.MAX_VALUE);

  /**
   * Why an entry of a directory cannot be transferred. It is listed all the same: a directory is
   * equal to another one only if nothing is missing.
   */
  public enum LeftOut {
    /** It is a device, a named pipe or a socket. */
    SPECIAL("it is a device, a named pipe or a socket"),
    /** It is a symbolic link that leads nowhere, or out of the store. */
    LINK("it is a symbolic link that leads nowhere, or out of the server's folder"),
    /** It is a symbolic link to a directory that it is in. */
    LOOP("it is a symbolic link to a folder that it is in"),
    /**
     * In a tree: it is a symbolic link to a directory of that tree, or behind another such link.
     */
    TREE("it is a symbolic link to a folder that is in the tree itself, or is behind such a link"),
    /** No request can name it: its name is not Unicode, too long, reserved or there twice. */
    NAME("no request can have its name, which is not UTF-8, too long, reserved or there twice"),
    /** Its facts cannot be read; for a directory, what is in it. */
    UNREADABLE("it cannot be read");

    private final String reason;

    LeftOut(String reason) {
      this.reason = reason;
    }

    /** Returns the reason for people, such as {@code it cannot be read}. */
    public String reason() {
      return reason;
    }
  }

  /** Creates facts of a file or directory without a CRC-32C and a version. */
  public FileFacts(
      String name, long size, Instant lastModified, boolean directory, @Nullable Sha256 sha256) {
    this(name, size, lastModified, directory, sha256, null, null, null, null, null);
  }

  /**
   * Creates the facts of an entry that is left out.
   *
   * @param name path in the store, or text for people if the reason is {@link LeftOut#NAME}
   */
  public static FileFacts leftOut(String name, LeftOut reason) {
    return new FileFacts(name, 0, UNKNOWN_TIME, false, null, null, null, reason, null, null);
  }

  /**
   * Creates the facts of a local file or directory, without a digest and a version.
   *
   * @param name path in the store, or the last segment of a local path
   * @param attributes say its mode if {@link Modes#readAttributes} has read them
   */
  public static FileFacts of(String name, BasicFileAttributes attributes) {
    return new FileFacts(
        name,
        attributes.isDirectory() ? 0 : attributes.size(),
        timeOf(attributes),
        attributes.isDirectory(),
        null,
        null,
        null,
        attributes.isOther() ? LeftOut.SPECIAL : null,
        attributes.isRegularFile() || attributes.isDirectory() ? Modes.of(attributes) : null,
        null);
  }

  /** The modification time, to the millisecond; far from now, the nearest that can be sent. */
  private static Instant timeOf(BasicFileAttributes attributes) {
    Instant time = attributes.lastModifiedTime().toInstant();
    Instant first = UNKNOWN_TIME.plusMillis(1);
    return time.isBefore(first)
        ? first
        : time.isAfter(LAST_TIME) ? LAST_TIME : time.truncatedTo(ChronoUnit.MILLIS);
  }

  /** Whether the owner may execute this file; null for what is no file, or if it is not known. */
  public @Nullable Boolean executable() {
    return directory ? null : Modes.executable(mode);
  }

  /** Whether this is a file that can be transferred. */
  public boolean isFile() {
    return !directory && leftOut == null;
  }

  /** Returns the digest of an algorithm; null if it is not known. */
  public @Nullable Digest digest(Digest.Algorithm algorithm) {
    return switch (algorithm) {
      case CRC32C -> crc32c;
      case SHA256 -> sha256;
    };
  }

  /**
   * Returns the facts of a file that a server has stored, without a digest that was compared with
   * nothing.
   *
   * @param sent the algorithm of the digest that was sent with the file; null if none was
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the server has not compared it
   */
  public FileFacts compared(Digest.@Nullable Algorithm sent) throws FerryException {
    if (sent == null) {
      return withoutDigests();
    }
    Digest given = digest(sent);
    if (given == null) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "%s: is stored, and unverified: the server gives no %s; --checksum none asks for none"
              .formatted(name, sent.label()));
    }
    return withoutDigests().withDigest(given);
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
    return new FileFacts(
        name, size, lastModified, directory, null, null, version, leftOut, mode, link);
  }

  /** Returns the same facts with the reason why it is left out; null if it is not. */
  public FileFacts withLeftOut(@Nullable LeftOut value) {
    return new FileFacts(
        name, size, lastModified, directory, sha256, crc32c, version, value, mode, link);
  }

  /** Returns the same facts with this modification time. */
  public FileFacts withLastModified(Instant value) {
    return new FileFacts(
        name, size, value, directory, sha256, crc32c, version, leftOut, mode, link);
  }

  /** Returns the same facts with this version; null if it is not known. */
  public FileFacts withVersion(@Nullable String value) {
    return new FileFacts(
        name, size, lastModified, directory, sha256, crc32c, value, leftOut, mode, link);
  }

  /** Returns the same facts with this mode; null if it is not known. */
  public FileFacts withMode(@Nullable Integer value) {
    return new FileFacts(
        name, size, lastModified, directory, sha256, crc32c, version, leftOut, value, link);
  }

  /** Returns the same facts of a symbolic link with this target; null if it is none. */
  public FileFacts withLink(@Nullable String value) {
    return new FileFacts(
        name, size, lastModified, directory, sha256, crc32c, version, leftOut, mode, value);
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
        version,
        leftOut,
        mode,
        link);
  }
}
