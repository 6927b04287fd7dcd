package dev.ferry.web.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends what no library would. */
final class RawHttp implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket;

  RawHttp(int port) throws IOException {
    socket = new Socket("localhost", port);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  /** Sends one request whole, which says that it is the last, and gives the whole answer. */
  static String exchange(int port, String head, byte[] body) throws IOException {
    try (RawHttp raw = new RawHttp(port)) {
      // At once: a server that has refused the head resets whatever is still on its way.
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      request.writeBytes(
          (head + "Host: localhost\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.ISO_8859_1));
      request.writeBytes(body);
      request.writeTo(raw.socket.getOutputStream());
      return raw.readAll();
    }
  }

  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** All that arrives until the server closes, one char for each byte. */
  String readAll() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** What arrives up to and with a text. */
  String readUntil(String end) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("closed after: " + text);
      }
      text.append((char) b);
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
