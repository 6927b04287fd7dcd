package dev.ferry.http.internal.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
      raw.send(head + "Host: localhost\r\nConnection: close\r\n\r\n");
      raw.send(body);
      return raw.readAll();
    }
  }

  static String exchange(int port, String head) throws IOException {
    return exchange(port, head, new byte[0]);
  }

  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  void send(byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
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
