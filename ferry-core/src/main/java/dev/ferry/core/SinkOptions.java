package dev.ferry.core;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How a file is received.
 *
 * @param createOnly whether an existing target is an error instead of being replaced
 * @param maxBytes most bytes the file may have
 * @param sync whether the file is forced to the disk before it is renamed
 * @param opener makes the temporary file
 */
public record SinkOptions(boolean createOnly, long maxBytes, boolean sync, Opener opener) {
  /** Replaces, takes any size, does not force. */
  public static final SinkOptions DEFAULT =
      new SinkOptions(
          false,
          Long.MAX_VALUE,
          false,
          file -> FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));

  /** Makes a new file open for writing; a test passes one that fails. */
  @FunctionalInterface
  public interface Opener {
    FileChannel open(Path file) throws IOException;
  }

  public SinkOptions withCreateOnly(boolean value) {
    return new SinkOptions(value, maxBytes, sync, opener);
  }

  public SinkOptions withMaxBytes(long value) {
    return new SinkOptions(createOnly, value, sync, opener);
  }

  public SinkOptions withSync(boolean value) {
    return new SinkOptions(createOnly, maxBytes, value, opener);
  }

  public SinkOptions withOpener(Opener value) {
    return new SinkOptions(createOnly, maxBytes, sync, value);
  }
}
