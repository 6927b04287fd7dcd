package dev.ferry.core.internal;

import dev.ferry.core.FileFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a local file by which its versions are told apart, read by one system call.
 *
 * @param isRegularFile whether it is a file
 * @param size bytes
 * @param changed the change time: when the content or an attribute was last changed, which no
 *     program can set; null if the file system has none, as on Windows
 * @param fileKey device and inode; null if the file system has none
 * @param mode its permissions, as {@link Modes} has them; null if the file system has none
 * @param links how many names it has, 0 after the last was deleted; 1 if the file system does not
 *     say
 */
public record LocalAttributes(
    boolean isRegularFile,
    boolean isDirectory,
    boolean isSymbolicLink,
    boolean isOther,
    long size,
    FileTime lastModifiedTime,
    @Nullable FileTime changed,
    @Nullable Object fileKey,
    @Nullable Integer mode,
    int links)
    implements BasicFileAttributes {
  private static final String WANTED =
      "unix:isRegularFile,isDirectory,isSymbolicLink,isOther,size,lastModifiedTime,ctime,fileKey,"
          + "mode,nlink";

  /** Reads the attributes of a file. */
  public static LocalAttributes read(Path file, LinkOption... options) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      BasicFileAttributes known = Modes.readAttributes(file, options);
      return new LocalAttributes(
          known.isRegularFile(),
          known.isDirectory(),
          known.isSymbolicLink(),
          known.isOther(),
          known.size(),
          known.lastModifiedTime(),
          null,
          known.fileKey(),
          Modes.of(known),
          1);
    }
    // Of the change time, the JDK has no method.
    Map<String, Object> known = Files.readAttributes(file, WANTED, options);
    return new LocalAttributes(
        of(Boolean.class, known, "isRegularFile"),
        of(Boolean.class, known, "isDirectory"),
        of(Boolean.class, known, "isSymbolicLink"),
        of(Boolean.class, known, "isOther"),
        of(Long.class, known, "size"),
        of(FileTime.class, known, "lastModifiedTime"),
        of(FileTime.class, known, "ctime"),
        of(Object.class, known, "fileKey"),
        of(Integer.class, known, "mode") & Modes.ALL,
        of(Integer.class, known, "nlink"));
  }

  private static <T> T of(Class<T> type, Map<String, Object> known, String name) {
    return type.cast(Objects.requireNonNull(known.get(name), name));
  }

  /**
   * Returns the version of the file: its size, its modification time and its change time in
   * nanoseconds, and its file key, shortened to 32 bits.
   *
   * <p>A file that was replaced, rewritten or restored has another version, also if its
   * modification time was set back. So has one of which an attribute was changed, or that was
   * renamed. The exceptions are a change within one tick of the file system's clock, one that goes
   * past the file system, as a failing disk or a mapped file changes bytes, and on file systems
   * without a change time a modification time that was set back. Only the bytes show those.
   */
  public String version() {
    return Long.toHexString(size)
        + '-'
        + hex(lastModifiedTime)
        + (changed == null ? "" : '-' + hex(changed))
        + '-'
        + Integer.toHexString(String.valueOf(fileKey).hashCode());
  }

  private static String hex(FileTime time) {
    Instant instant = time.toInstant();
    return Long.toHexString(instant.getEpochSecond())
        + '.'
        + Integer.toHexString(instant.getNano());
  }

  /**
   * Returns the facts of the file, with its version, or those of a directory, which has none.
   *
   * @param name path in the store, or the last segment of a local path
   */
  public FileFacts facts(String name) {
    FileFacts facts = FileFacts.of(name, this);
    return isDirectory ? facts : facts.withVersion(version());
  }

  /** Returns the modification time, as that of a file system that does not have this one. */
  @Override
  public FileTime lastAccessTime() {
    return lastModifiedTime;
  }

  /** Returns the modification time, as that of a file system that does not have this one. */
  @Override
  public FileTime creationTime() {
    return lastModifiedTime;
  }
}
