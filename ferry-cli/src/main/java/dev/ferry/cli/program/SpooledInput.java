package dev.ferry.cli.program;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Standard input in a temporary file. A file appears on the server only when it is complete, and an
 * upload that is repeated needs its beginning again. So the server need not wait for the input.
 *
 * @param file the file, which only its owner can read
 */
public record SpooledInput(Path file) implements Closeable {
  private static final int BUFFER_BYTES = 256 * 1024;
  private static final String CLOSED = "is closed";

  /**
   * Reads standard input to its end. The caller closes the file, which deletes it.
   *
   * @throws FerryException if standard input is closed, or cannot be read; if there is no room for
   *     it on the disk
   */
  public static SpooledInput read() throws FerryException {
    if (isClosed()) {
      throw unreadable(CLOSED, null);
    }
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
      while (read(in, buffer) >= 0) {
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

  /**
   * Whether descriptor 0 is the modules of the JDK: the first file that a JVM opens gets it if
   * nothing else has it. To read or close that file would harm the JVM.
   */
  private static boolean isClosed() {
    try {
      Path modules = Path.of(System.getProperty("java.home"), "lib", "modules");
      return Files.isSameFile(Path.of("/proc/self/fd/0"), modules);
    } catch (IOException e) {
      // Another system than Linux, or a JDK without that file.
      return false;
    }
  }

  private static int read(ReadableByteChannel in, ByteBuffer to) throws IOException {
    try {
      return in.read(to);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage());
      throw unreadable(
          why.contains("Bad file descriptor") ? CLOSED : "cannot be read (" + why + ")", e);
    }
  }

  private static FerryException unreadable(String why, @Nullable IOException cause) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST,
        "standard input " + why + "; give it a file or a pipe, or name a file in place of '-'",
        cause);
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
