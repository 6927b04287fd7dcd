package dev.ferry.cli.program;

import dev.ferry.core.internal.SystemError;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * Standard output that remembers why it could not be written. {@code System.out} forgets the
 * reason, and a command that prints lines does not ask.
 */
final class StandardOutput extends OutputStream {
  private final OutputStream file = new FileOutputStream(FileDescriptor.out);
  private final PrintWriter writer = newWriter();
  private volatile @Nullable IOException failure;
  private volatile boolean writing;

  /** Returns the writer in the encoding of {@code System.out}, which writes each line at once. */
  PrintWriter writer() {
    return writer;
  }

  private PrintWriter newWriter() {
    String terminal =
        System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding", ""));
    Charset charset = terminal.isEmpty() ? Charset.defaultCharset() : Charset.forName(terminal);
    return new PrintWriter(new OutputStreamWriter(this, charset), true);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    writing = true;
    try {
      file.write(bytes, offset, length);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    } finally {
      writing = false;
    }
  }

  /**
   * Writes what is left, and returns the first failure of all; null if there was none, or if the
   * reader has closed the output and so wants no more of it. If another thread still waits for the
   * reader, nothing is left, and this does not wait.
   */
  @Nullable IOException finish() {
    if (!writing) {
      writer.flush();
    }
    IOException first = failure;
    return first == null || SystemError.of(first) == SystemError.BROKEN_PIPE ? null : first;
  }
}
