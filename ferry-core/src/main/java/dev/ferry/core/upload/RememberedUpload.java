package dev.ferry.core.upload;

import dev.ferry.core.FileFacts;
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
 * The id of an upload in a small file of this machine. The file has the id and the version of the
 * local file, and is locked while the upload runs: a second process that uploads the same file to
 * the same place at that time gets an id of its own.
 *
 * <p>Failures to read or write the file are ignored: the upload then begins with its first byte.
 * Files that were not used for a week are deleted, since no server keeps an upload that long.
 */
public final class RememberedUpload implements UploadIds, AutoCloseable {
  /** Bytes of a file from which on it is worthwhile to remember its upload. */
  private static final long LEAST_SIZE = 8 * 1024 * 1024;

  private static final Duration UNUSED = Duration.ofDays(7);
  private static final String SEPARATOR = "\n";
  private static final int MOST_BYTES = 1024;

  private final Path file;
  private @Nullable FileChannel channel;
  private boolean unavailable;

  /**
   * Creates the memory of one upload. It touches no file before it is used.
   *
   * @param folder a folder for such files alone; it is made if it does not exist
   * @param key what identifies the upload: the server, the path there, the local path, and the
   *     conditions of the upload
   */
  public RememberedUpload(Path folder, List<String> key) {
    this.file = folder.resolve(name(key));
  }

  private static String name(List<String> key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(String.join("\0", key).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, UploadId.LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public @Nullable UploadId remembered(FileFacts local) {
    FileChannel open = open(local);
    if (open == null) {
      return null;
    }
    try {
      ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
      int unused = open.read(bytes, 0);
      String[] lines =
          new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8)
              .split(SEPARATOR, -1);
      return lines.length == 2 && lines[1].equals(version(local)) ? UploadId.parse(lines[0]) : null;
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public UploadId create(FileFacts local) {
    UploadId id = UploadId.random();
    FileChannel open = open(local);
    if (open != null) {
      String text = id.toHex() + SEPARATOR + version(local);
      try {
        int unused = open.truncate(0).write(StandardCharsets.UTF_8.encode(text), 0);
      } catch (IOException e) {
        unavailable = true;
      }
    }
    return id;
  }

  private static String version(FileFacts local) {
    return local.size() + " " + local.version();
  }

  /** Returns the locked file; null if the upload is not remembered. */
  private @Nullable FileChannel open(FileFacts local) {
    if (channel != null || unavailable || local.size() < LEAST_SIZE || local.version() == null) {
      return unavailable ? null : channel;
    }
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder == null) {
        throw new IOException(file + " has no folder");
      }
      makeFolder(folder);
      deleteUnused(folder);
      FileChannel opened =
          FileChannel.open(
              file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
      if (locks(opened)) {
        channel = opened;
      } else {
        opened.close();
      }
    } catch (IOException e) {
      channel = null;
    }
    unavailable = channel == null;
    return channel;
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
      // Another upload of this process has it.
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

  @Override
  public void forget() {
    FileChannel open = channel;
    if (open == null) {
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
