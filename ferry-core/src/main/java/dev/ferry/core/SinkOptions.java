package dev.ferry.core;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How a file is received.
 *
 * @param create what may stand, or be missing, where it gets its name
 * @param limits how much is taken; of the files of a store together
 * @param sync whether the file is forced to the disk before it is renamed
 * @param opener makes the temporary file
 */
public record SinkOptions(CreateOptions create, ReceiveLimits limits, boolean sync, Opener opener) {
  /** Replaces, makes no directories, takes whatever fits on the disk, does not force. */
  public static final SinkOptions DEFAULT =
      new SinkOptions(
          CreateOptions.DEFAULT,
          ReceiveLimits.OWN,
          false,
          file -> FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));

  /** Makes a new file open for writing; a test passes one that fails. */
  @FunctionalInterface
  public interface Opener {
    FileChannel open(Path file) throws IOException;
  }

  public SinkOptions withCreate(CreateOptions value) {
    return new SinkOptions(value, limits, sync, opener);
  }

  public SinkOptions withLimits(ReceiveLimits value) {
    return new SinkOptions(create, value, sync, opener);
  }

  public SinkOptions withSync(boolean value) {
    return new SinkOptions(create, limits, value, opener);
  }

  public SinkOptions withOpener(Opener value) {
    return new SinkOptions(create, limits, sync, value);
  }
}
