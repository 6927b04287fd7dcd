package dev.ferry.core.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A small file of this machine in which one process leaves a few lines for a later one. It is
 * locked while it is open, so that two processes never use it at the same time. Its folder has such
 * files alone. Files that were not written for {@link #UNUSED} are deleted when another one is
 * opened.
 *
 * <p>Failures to read or write the file are ignored: it then has no lines. One thread at a time.
 */
public final class StateFile implements AutoCloseable {
  /** Time after which what nobody has used is deleted. */
  public static final Duration UNUSED = Duration.ofDays(7);

  /** Bytes of a file from which on it is worthwhile to remember its transfer. */
  public static final long LEAST_SIZE = 8 * 1024 * 1024;

  private static final int NAME_BYTES = 16;
  private static final int MOST_BYTES = 1024;
  private static final String SEPARATOR = "\n";

  /** What is behind an empty line does not count. */
  private static final String END = "\n\n";

  private final @Nullable Path file;
  private @Nullable FileChannel channel;
  private boolean unavailable;

  /**
   * Names a file. Nothing is touched before it is used.
   *
   * @param folder a folder for such files alone, which is made if it does not exist; null if there
   *     is none
   * @param key what the lines are about
   */
  public StateFile(@Nullable Path folder, List<String> key) {
    this.file = folder == null ? null : folder.resolve(name(key)).toAbsolutePath();
    this.unavailable = folder == null;
  }

  private static String name(List<String> key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(String.join("\0", key).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, NAME_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Whether there is such a file. */
  public boolean exists() {
    return file != null && Files.exists(file);
  }

  /**
   * Opens and locks the file, and makes it if it does not exist.
   *
   * @return false if it is used elsewhere, or cannot be used
   */
  public boolean open() {
    if (channel == null && !unavailable) {
      try {
        channel = locked();
      } catch (IOException e) {
        channel = null;
      }
      unavailable = channel == null;
    }
    return channel != null;
  }

  private @Nullable FileChannel locked() throws IOException {
    Path folder = file == null ? null : file.getParent();
    if (file == null || folder == null) {
      return null;
    }
    makeFolder(folder);
    deleteUnused(folder);
    FileChannel opened =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    if (locks(opened)) {
      return opened;
    }
    opened.close();
    return null;
  }

  private static void makeFolder(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Files.createDirectories(folder);
    if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
      Path unused =
          Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
  }

  private static boolean locks(FileChannel opened) throws IOException {
    try {
      return opened.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // Another transfer of this process has it.
      return false;
    }
  }

  private static void deleteUnused(Path folder) throws IOException {
    Instant oldest = Instant.now().minus(UNUSED);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path each : files) {
        if (Files.getLastModifiedTime(each).toInstant().isBefore(oldest)) {
          Files.deleteIfExists(each);
        }
      }
    }
  }

  /** Returns the lines of the open file; none if it is new, damaged or not open. */
  public List<String> read() {
    FileChannel open = channel;
    if (open == null) {
      return List.of();
    }
    try {
      ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
      int unused = open.read(bytes, 0);
      String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
      int end = text.indexOf(END);
      return end <= 0 ? List.of() : List.of(text.substring(0, end).split(SEPARATOR, -1));
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Replaces the lines of the open file. A process that is killed meanwhile leaves the former lines
   * or the new ones.
   *
   * @param lines not empty, and without line breaks
   * @return whether the file has them
   */
  public boolean write(List<String> lines) {
    FileChannel open = channel;
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(String.join(SEPARATOR, lines) + END);
    boolean fits =
        bytes.remaining() <= MOST_BYTES
            && lines.stream().noneMatch(line -> line.isEmpty() || line.contains(SEPARATOR));
    if (open == null || !fits) {
      return false;
    }
    try {
      // One write. What a longer text leaves behind it does not count.
      int unused = open.write(bytes, 0);
      return !bytes.hasRemaining();
    } catch (IOException e) {
      return false;
    }
  }

  /** Deletes the open file, and closes it. */
  public void delete() {
    if (channel == null || file == null) {
      return;
    }
    try {
      // Deleted while it is locked, so that nobody else can have begun to use it.
      Files.deleteIfExists(file);
    } catch (IOException e) {
      unavailable = true;
    }
    close();
  }

  /** Leaves the file to a later process. */
  @Override
  public void close() {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // What was written counts, and not how the file was closed.
        return;
      }
    }
  }
}
