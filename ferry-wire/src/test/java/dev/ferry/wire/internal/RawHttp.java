package dev.ferry.wire.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** An HTTP/1.1 client that can send malformed requests. */
public final class RawHttp implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 60_000;

  private final Socket socket;

  public RawHttp(int port) throws IOException {
    socket = new Socket("localhost", port);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  /** Sends one request, which says that it is the last, and returns the whole response. */
  public static String exchange(int port, String head, byte[] body) throws IOException {
    try (RawHttp raw = new RawHttp(port)) {
      // In one write: a server that has refused the head resets the connection if more arrives.
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      request.writeBytes(
          (head + "Host: localhost\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.ISO_8859_1));
      request.writeBytes(body);
      raw.send(request.toByteArray());
      return raw.readAll();
    }
  }

  /** Sends one request without a body. */
  public static String exchange(int port, String head) throws IOException {
    return exchange(port, head, new byte[0]);
  }

  public void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** Ends this side of the connection. */
  public void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** Returns all that arrives until the server closes, one char for each byte. */
  public String readAll() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** Returns what arrives up to and with a text. */
  public String readUntil(String end) throws IOException {
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
