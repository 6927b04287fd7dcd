package dev.ferry.cli.hostile;

import dev.ferry.wire.internal.RawHttp2;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A hostile client of its own address, as one user or without a token. Its sockets close when the
 * attack ends. Thread-safe.
 */
final class Attacker implements AutoCloseable {
  private static final String ADDRESS = "127.0.0.2";

  /** So that the kernel takes little of what the attacker does not read. */
  private static final int RECEIVE_BUFFER = 4_096;

  private static final int PATIENCE_MILLIS = 60_000;
  private static final int GRPC_PREFIX = 5;

  private final HostileServer server;
  private final String token;
  private final String slowToken;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final CountDownLatch ended = new CountDownLatch(1);

  Attacker(HostileServer server) {
    this.server = server;
    this.token = server.attackersToken();
    this.slowToken = server.slowToken();
  }

  boolean isOver() {
    return ended.getCount() == 0;
  }

  /** Waits until the attack ends. */
  void hold() throws InterruptedException {
    ended.await();
  }

  /** Waits for some milliseconds, or until the attack ends. */
  void rest(int millis) throws InterruptedException {
    boolean unused = ended.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Connects to the HTTP port. */
  Socket http() throws IOException {
    return connect(server.http());
  }

  /** Connects to the gRPC port. */
  Socket grpc() throws IOException {
    return connect(server.grpc());
  }

  private Socket connect(int port) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    if (isOver()) {
      close(socket);
    }
    socket.setReceiveBufferSize(RECEIVE_BUFFER);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.bind(new InetSocketAddress(ADDRESS, 0));
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    return socket;
  }

  void close(Socket socket) throws IOException {
    socket.close();
    sockets.remove(socket);
  }

  /** Begins HTTP/2 with the preface and settings, identifiers and values in turn. */
  static RawHttp2 http2(Socket socket, int... settings) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(settings.length * 3);
    for (int i = 0; i < settings.length; i += 2) {
      payload.putShort((short) settings[i]).putInt(settings[i + 1]);
    }
    RawHttp2 raw = new RawHttp2(socket);
    raw.send(RawHttp2.PREFACE);
    raw.send(RawHttp2.SETTINGS, 0, 0, payload.array());
    return raw;
  }

  /** The head of a request of HTTP/1.1, with more fields. */
  String head(String method, String target, String... fields) {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: localhost\r\n");
    head.append("Authorization: Bearer ").append(token).append("\r\n");
    for (int i = 0; i < fields.length; i += 2) {
      head.append(fields[i]).append(": ").append(fields[i + 1]).append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  /** The fields of a request of HTTP/2. */
  byte[] block(String method, String path, String... fields) throws IOException {
    return blockOf(token, method, path, fields);
  }

  private static byte[] blockOf(String token, String method, String path, String... fields)
      throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(RawHttp2.head(method, path, "authorization", "Bearer " + token));
    block.write(RawHttp2.fields(fields));
    return block.toByteArray();
  }

  /** The fields of a call of Ferry's service. */
  byte[] call(String method, String... fields) throws IOException {
    return callOf(token, method, fields);
  }

  /** Those of an upload by a user whose uploads the server holds back. */
  byte[] slowUpload() throws IOException {
    return callOf(slowToken, "Upload");
  }

  private static byte[] callOf(String token, String method, String... fields) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(blockOf(token, "POST", "/ferry.v1.Files/" + method, "te", "trailers"));
    block.write(RawHttp2.fields("content-type", "application/grpc"));
    block.write(RawHttp2.fields(fields));
    return block.toByteArray();
  }

  /** A message of gRPC behind its prefix. */
  static byte[] message(boolean compressed, int length, byte[] bytes) {
    return ByteBuffer.allocate(GRPC_PREFIX + bytes.length)
        .put((byte) (compressed ? 1 : 0))
        .putInt(length)
        .put(bytes)
        .array();
  }

  static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends one request on a connection of its own, and reads the response to its end. */
  void exchange(String head, byte[] body) throws IOException {
    Socket socket = http();
    try {
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      String last = head.substring(0, head.length() - 2) + "Connection: close\r\n\r\n";
      request.writeBytes(last.getBytes(StandardCharsets.ISO_8859_1));
      request.writeBytes(body);
      socket.getOutputStream().write(request.toByteArray());
      socket.getInputStream().skipNBytes(Long.MAX_VALUE);
    } catch (EOFException e) {
      // The end of the response.
      return;
    } finally {
      close(socket);
    }
  }

  /** Ends the attack: closes its connections. */
  @Override
  public void close() throws IOException {
    ended.countDown();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
