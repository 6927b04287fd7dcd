package dev.ferry.core;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/**
 * How a file is received.
 *
 * @param create conditions for creating the file
 * @param limits limits for received files; a store applies them to all its uploads together
 * @param sync whether to force the file to the disk before it is renamed
 * @param verifyDisk whether to force the file to the disk, read it again and compare its digest
 *     before it is renamed; the operating system may answer from its page cache
 * @param opener creates the temporary file
 */
public record SinkOptions(
    CreateOptions create, ReceiveLimits limits, boolean sync, boolean verifyDisk, Opener opener) {
  /**
   * Replaces an existing file, creates no directories, accepts any size that fits on the disk, and
   * neither forces to the disk nor reads it again.
   */
  public static final SinkOptions DEFAULT =
      new SinkOptions(
          CreateOptions.DEFAULT,
          ReceiveLimits.OWN,
          false,
          false,
          (file, attributes) ->
              FileChannel.open(
                  file,
                  Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                  attributes));

  /** Creates a new file, open for writing. Tests pass one that fails. */
  @FunctionalInterface
  public interface Opener {
    /**
     * Creates the file.
     *
     * @param attributes those that it has from the first moment on, such as its permissions
     */
    FileChannel open(Path file, FileAttribute<?>... attributes) throws IOException;
  }

  public SinkOptions withCreate(CreateOptions value) {
    return new SinkOptions(value, limits, sync, verifyDisk, opener);
  }

  public SinkOptions withLimits(ReceiveLimits value) {
    return new SinkOptions(create, value, sync, verifyDisk, opener);
  }

  public SinkOptions withSync(boolean value) {
    return new SinkOptions(create, limits, value, verifyDisk, opener);
  }

  public SinkOptions withVerifyDisk(boolean value) {
    return new SinkOptions(create, limits, sync, value, opener);
  }

  public SinkOptions withOpener(Opener value) {
    return new SinkOptions(create, limits, sync, verifyDisk, value);
  }
}
