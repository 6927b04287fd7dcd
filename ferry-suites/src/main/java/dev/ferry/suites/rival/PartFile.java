package dev.ferry.suites.rival;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that is received under a temporary name, so that half a file never looks whole. Used by
 * one thread at a time.
 */
public final class PartFile implements Closeable {
  private final Path target;
  private final Path part;
  private final FileChannel channel;

  /** Creates the temporary file beside its target. */
  public PartFile(Path target) throws IOException {
    this.target = target;
    this.part = partOf(target);
    this.channel = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Returns the temporary name of a file. */
  public static Path partOf(Path target) {
    return target.resolveSibling(target.getFileName() + ".part");
  }

  /** Receives a whole file from a stream as most programs do. */
  public static void copy(InputStream in, Path target) throws IOException {
    try (PartFile file = new PartFile(target)) {
      in.transferTo(Channels.newOutputStream(file.channel));
      file.commit();
    }
  }

  /** What writes the temporary file. */
  public FileChannel channel() {
    return channel;
  }

  /** Gives the file its name. */
  public void commit() throws IOException {
    channel.close();
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes the temporary file if it was not given its name. */
  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(part);
  }
}
