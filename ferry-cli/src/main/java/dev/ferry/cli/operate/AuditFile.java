package dev.ferry.cli.operate;

import dev.ferry.wire.internal.FileModes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines that its owner alone may read, and the full ones before it: {@code FILE.1} is the
 * last of them, {@code FILE.2} the one before. For one thread.
 */
final class AuditFile implements Closeable {
  private final Path file;
  private final long maxBytes;
  private final int kept;
  private @Nullable FileChannel channel;
  private long size;

  /**
   * @param maxBytes the size at which the file is full
   * @param kept how many full files to keep
   */
  AuditFile(Path file, long maxBytes, int kept) {
    this.file = file;
    this.maxBytes = maxBytes;
    this.kept = kept;
  }

  Path path() {
    return file;
  }

  /** Opens the file unless it is open, and creates it if it does not exist. */
  void open() throws IOException {
    if (channel != null) {
      return;
    }
    try {
      FileModes.createPrivate(file);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isRegularFile(file)) {
        throw new IOException(file + ": is not a regular file", e);
      }
      FileModes.makePrivate(file);
    }
    channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    size = channel.size();
    channel.position(size);
    if (size > 0 && !endsWithLine(channel, size)) {
      write(ByteBuffer.wrap(new byte[] {'\n'}));
    }
  }

  /** Whether the last process that wrote to the file has completed its last line. */
  private static boolean endsWithLine(FileChannel channel, long size) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    return channel.read(last, size - 1) == 1 && last.get(0) == '\n';
  }

  /** Appends a line, to a new file if it does not fit into this one. */
  void append(byte[] line) throws IOException {
    open();
    if (size > 0 && size + line.length > maxBytes) {
      rotate();
      open();
    }
    long before = size;
    try {
      write(ByteBuffer.wrap(line));
    } catch (IOException e) {
      cut(before);
      throw e;
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    FileChannel open = channel;
    while (open != null && bytes.hasRemaining()) {
      size += open.write(bytes);
    }
  }

  /** Removes what was written of a line, because the disk had no room for the rest. */
  private void cut(long length) {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try (open) {
        open.truncate(length);
      } catch (IOException e) {
        // The next line begins on a line of its own in any case.
        return;
      }
    }
  }

  private void rotate() throws IOException {
    close();
    for (int i = kept; i > 0; i--) {
      Path from = i == 1 ? file : numbered(i - 1);
      if (Files.exists(from)) {
        Files.move(from, numbered(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (kept == 0) {
      Files.delete(file);
    }
  }

  private Path numbered(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  /** Forces the file to the disk and closes it. */
  @Override
  public void close() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try (open) {
        open.force(true);
      }
    }
  }
}
