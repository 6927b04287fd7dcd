package dev.ferry.lab.run.server;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketOption;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * A connection between a bench and the bench server of another machine. Both send lines, and the
 * bench sends the bytes of files between them. One thread may read while others write.
 */
final class ControlConnection implements AutoCloseable {
  /** No line is longer than this. It has room for what a server leaves for its client. */
  static final int MOST_LINE_BYTES = 1 << 20;

  /** A machine that vanishes ends its connections after 30 s. */
  private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE, 15,
          ExtendedSocketOptions.TCP_KEEPINTERVAL, 5,
          ExtendedSocketOptions.TCP_KEEPCOUNT, 3);

  private static final int COPY_BYTES = 1 << 18;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  /** Takes over a socket. On failure it is closed. */
  ControlConnection(Socket socket) throws IOException {
    this.socket = socket;
    try {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      for (Map.Entry<SocketOption<Integer>, Integer> option : KEEP_ALIVE.entrySet()) {
        if (socket.supportedOptions().contains(option.getKey())) {
          socket.setOption(option.getKey(), option.getValue());
        }
      }
      in = new BufferedInputStream(socket.getInputStream());
      out = socket.getOutputStream();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  Socket socket() {
    return socket;
  }

  /**
   * Reads a line, and waits until there is one.
   *
   * @param mostBytes the most that it may have
   * @return null at the end of the connection
   * @throws IOException if the line is longer, or if the connection breaks
   */
  @Nullable String readLine(int mostBytes) throws IOException {
    return readLine(in, mostBytes);
  }

  /** Reads a line of a stream, as {@link #readLine(int)}. What follows the last line is dropped. */
  static @Nullable String readLine(InputStream in, int mostBytes) throws IOException {
    byte[] line = new byte[Math.min(mostBytes, 1 << 8)];
    int length = 0;
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        return null;
      }
      if (length == mostBytes) {
        throw new IOException("a line of more than " + mostBytes + " bytes");
      }
      if (length == line.length) {
        line = Arrays.copyOf(line, Math.min(mostBytes, 2 * length));
      }
      line[length++] = (byte) b;
    }
    return new String(line, 0, length, StandardCharsets.UTF_8);
  }

  /** Writes a line. It must not contain a line break. */
  synchronized void writeLine(String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Sends the bytes of a file. */
  synchronized void send(Path file) throws IOException {
    Files.copy(file, out);
  }

  /**
   * Receives the bytes of a file.
   *
   * @throws EOFException if the connection ends before
   */
  void receive(long bytes, OutputStream to) throws IOException {
    byte[] buffer = new byte[COPY_BYTES];
    long left = bytes;
    while (left > 0) {
      int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
      if (n < 0) {
        throw new EOFException("the connection ended %,d bytes before the file".formatted(left));
      }
      to.write(buffer, 0, n);
      left -= n;
    }
  }

  /** Tells the other end that no further lines come. */
  void endLines() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
