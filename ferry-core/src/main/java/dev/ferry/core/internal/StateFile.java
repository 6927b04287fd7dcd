package dev.ferry.core.internal;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A small file of this machine in which one process leaves a few lines for a later one. It is
 * locked while it is open, so that two processes never use it at the same time. Its folder has such
 * files alone. Files that were not written for {@link #UNUSED} are deleted when a process opens its
 * first one there.
 *
 * <p>Failures to read or write the file are ignored: it then has no lines. One thread at a time.
 */
public final class StateFile implements AutoCloseable {
  /** Time after which what nobody has used is deleted. */
  public static final Duration UNUSED = Duration.ofDays(7);

  /** Bytes of a file from which on it is worthwhile to remember its transfer. */
  public static final long LEAST_SIZE = 8 * 1024 * 1024;

  /** Folders whose unused files this process has deleted: once, since a folder may have many. */
  private static final Set<Path> SWEPT = ConcurrentHashMap.newKeySet();

  /** Only its owner uses the folder. */
  private static final int PRIVATE = 0700;

  private static final int NAME_BYTES = 16;
  private static final int MOST_BYTES = 1024;
  private static final String SEPARATOR = "\n";

  /** What is behind an empty line does not count. */
  private static final String END = "\n\n";

  private final @Nullable Path folder;
  private final List<String> key;
  private @Nullable LockedFile locked;
  private boolean unavailable;

  /**
   * Names a file. Nothing is touched before it is used.
   *
   * @param folder a folder for such files alone, which is made if it does not exist; null if there
   *     is none
   * @param key what the lines are about
   */
  public StateFile(@Nullable Path folder, List<String> key) {
    this.folder = folder;
    this.key = List.copyOf(key);
  }

  /** Computed when it is needed, which it is not for the upload of a small file. */
  private String name() {
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
    // Most often there is none, and to make its name takes as long as to connect.
    return folder != null && !isEmpty(folder) && Files.exists(folder.resolve(name()));
  }

  private static boolean isEmpty(Path folder) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      return !files.iterator().hasNext();
    } catch (IOException | DirectoryIteratorException e) {
      return true;
    }
  }

  /**
   * Opens and locks the file, and makes it if it does not exist.
   *
   * @return false if it is used elsewhere, or cannot be used
   */
  public boolean open() {
    if (locked == null && !unavailable) {
      try {
        LockedFile opened = opened();
        locked = opened;
        if (opened != null && opened.isUnused()) {
          FileChannel unused = opened.channel().truncate(0);
        }
      } catch (IOException e) {
        close();
      }
      unavailable = locked == null;
    }
    return locked != null;
  }

  private @Nullable LockedFile opened() throws IOException {
    if (folder == null) {
      return null;
    }
    makeFolder(folder);
    Path real = folder.toRealPath();
    if (SWEPT.add(real)) {
      deleteUnused(real);
    }
    return LockedFile.open(real.resolve(name()), true);
  }

  private static void makeFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Path unused = Files.createDirectories(folder, Modes.creating(folder, PRIVATE));
    }
  }

  /** Deletes the unused files of a folder that nobody has open. Others are skipped. */
  static void deleteUnused(Path folder) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path each : files) {
        deleteIfUnused(each);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // A later process deletes the rest.
      return;
    }
  }

  private static void deleteIfUnused(Path each) {
    try {
      if (isUnused(each)) {
        try (LockedFile unused = LockedFile.open(each, false)) {
          if (unused != null && unused.isUnused()) {
            unused.delete();
          }
        }
      }
    } catch (IOException e) {
      // Another process may just have deleted it.
      return;
    }
  }

  static boolean isUnused(Path file) throws IOException {
    return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
        .toInstant()
        .isBefore(Instant.now().minus(UNUSED));
  }

  /** Returns the lines of the open file; none if it is new, damaged or not open. */
  public List<String> read() {
    LockedFile open = locked;
    if (open == null) {
      return List.of();
    }
    try {
      ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
      int unused = open.channel().read(bytes, 0);
      String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
      int end = text.indexOf(END);
      return end <= 0 ? List.of() : List.of(text.substring(0, end).split(SEPARATOR, -1));
    } catch (IOException e) {
      log().log(Level.DEBUG, "what was begun before is not known", e);
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
    LockedFile open = locked;
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(String.join(SEPARATOR, lines) + END);
    boolean fits =
        bytes.remaining() <= MOST_BYTES
            && lines.stream().noneMatch(line -> line.isEmpty() || line.contains(SEPARATOR));
    if (open == null || !fits) {
      return false;
    }
    try {
      // One write. What a longer text leaves behind it does not count.
      int unused = open.channel().write(bytes, 0);
      return !bytes.hasRemaining();
    } catch (IOException e) {
      log().log(Level.DEBUG, "a later process cannot resume", e);
      return false;
    }
  }

  private static System.Logger log() {
    return System.getLogger(StateFile.class.getName());
  }

  /** Deletes the open file, and closes it. */
  public void delete() {
    LockedFile open = locked;
    if (open == null) {
      return;
    }
    try {
      open.delete();
    } catch (IOException e) {
      unavailable = true;
    }
    close();
  }

  /** Leaves the file to a later process. */
  @Override
  public void close() {
    LockedFile open = locked;
    locked = null;
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
