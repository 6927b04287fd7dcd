package dev.ferry.cli.program;

import dev.ferry.core.FerryException;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Standard input in a temporary file. A file appears on the server only when it is complete, and an
 * upload that is repeated needs its beginning again. So the server need not wait for the input.
 *
 * @param file the file, which only its owner can read
 */
public record SpooledInput(Path file) implements Closeable {
  private static final int BUFFER_BYTES = 256 * 1024;

  /** Reads standard input to its end. The caller closes the file, which deletes it. */
  public static SpooledInput read() throws FerryException {
    Path file;
    try {
      file = Files.createTempFile("ferry-put-", ".part");
    } catch (IOException e) {
      throw FerryException.of(e, "a temporary file for standard input");
    }
    SpooledInput spooled = new SpooledInput(file);
    // A channel ends a read if the thread is interrupted.
    try (ReadableByteChannel in = new FileInputStream(FileDescriptor.in).getChannel();
        FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
      while (in.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          out.write(buffer);
        }
        buffer.clear();
      }
      return spooled;
    } catch (IOException e) {
      spooled.close();
      throw FerryException.of(e, "standard input, by way of " + file);
    }
  }

  @Override
  public void close() throws FerryException {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw FerryException.of(e, file.toString());
    }
  }
}
