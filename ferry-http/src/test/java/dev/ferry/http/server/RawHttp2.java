package dev.ferry.http.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An HTTP/2 client that sends what no library would: frames, one by one. */
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final int ACK = 1;

  static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private static final int PATIENCE_MILLIS = 20_000;
  private static final int MAX_PREFIXED = 127;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  /** What the server sent. */
  record Frame(int type, int flags, int stream, byte[] payload) {
    boolean endsStream() {
      return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
    }

    /** The code of a GOAWAY or RST_STREAM. */
    int error() {
      return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0);
    }

    /** The status of a response, of those that have a place in HPACK's static table. */
    int status() {
      return switch (payload[0]) {
        case (byte) 0x88 -> 200;
        case (byte) 0x89 -> 204;
        case (byte) 0x8c -> 400;
        case (byte) 0x8d -> 404;
        default -> -1;
      };
    }
  }

  /** Connects, and says nothing. */
  RawHttp2(int port) throws IOException {
    socket = new Socket("localhost", port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** Connects with the preface and empty settings. */
  static RawHttp2 open(int port) throws IOException {
    RawHttp2 raw = new RawHttp2(port);
    raw.send(PREFACE);
    raw.send(SETTINGS, 0, 0, new byte[0]);
    return raw;
  }

  void send(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  void send(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    out.write(frame.array());
  }

  /** Sends the head of a request; more fields are names and values in turn. */
  void request(int stream, boolean last, String method, String path, String... fields)
      throws IOException {
    int flags = END_HEADERS | (last ? END_STREAM : 0);
    send(HEADERS, flags, stream, head(method, path, fields));
  }

  /** The block of a request's fields, nothing indexed and nothing Huffman-coded. */
  static byte[] head(String method, String path, String... fields) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(
        fields(":method", method, ":scheme", "http", ":authority", "localhost", ":path", path));
    block.writeBytes(fields(fields));
    return block.toByteArray();
  }

  /** A block of fields, names and values in turn; those without a value are left out. */
  static byte[] fields(@Nullable String... fields) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < fields.length; i += 2) {
      String name = fields[i];
      String value = fields[i + 1];
      if (name != null && value != null) {
        field(block, name, value);
      }
    }
    return block.toByteArray();
  }

  private static void field(ByteArrayOutputStream block, String name, String value)
      throws IOException {
    block.write(0);
    for (String text : new String[] {name, value}) {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      if (bytes.length < MAX_PREFIXED) {
        block.write(bytes.length);
      } else {
        block.write(MAX_PREFIXED);
        int rest = bytes.length - MAX_PREFIXED;
        for (; rest >= 128; rest >>= 7) {
          block.write(rest & 0x7f | 0x80);
        }
        block.write(rest);
      }
      block.write(bytes);
    }
  }

  void resetStream(int stream) throws IOException {
    send(RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(8).array());
  }

  /** Lets the server send more, on a stream or, with 0, on the connection. */
  void allow(int stream, int bytes) throws IOException {
    send(WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(bytes).array());
  }

  /** The next frame, whatever it is; settings are acknowledged. */
  Frame next() throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = new byte[length];
    in.readFully(payload);
    if (type == SETTINGS && (flags & ACK) == 0) {
      send(SETTINGS, ACK, 0, new byte[0]);
    }
    return new Frame(type, flags, stream, payload);
  }

  /** The next frame of a type. */
  Frame await(int type) throws IOException {
    while (true) {
      Frame frame = next();
      if (frame.type() == type) {
        return frame;
      }
    }
  }

  /** What arrives on a stream, as far as the windows let it, until the stream ends. */
  byte[] body(int stream) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      Frame frame = next();
      if (frame.stream() == stream) {
        if (frame.type() == DATA) {
          body.write(frame.payload());
        }
        if (frame.endsStream()) {
          return body.toByteArray();
        }
      }
    }
  }

  /** One char for each byte, up to and with an empty line. */
  String readHead() throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf("\r\n\r\n") < 0) {
      text.append((char) in.readUnsignedByte());
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
