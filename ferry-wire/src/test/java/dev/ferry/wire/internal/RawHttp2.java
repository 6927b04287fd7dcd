package dev.ferry.wire.internal;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An HTTP/2 client that sends single frames, also invalid ones. */
public final class RawHttp2 implements AutoCloseable {
  public static final int DATA = 0;
  public static final int HEADERS = 1;
  public static final int RST_STREAM = 3;
  public static final int SETTINGS = 4;
  public static final int PING = 6;
  public static final int GOAWAY = 7;
  public static final int WINDOW_UPDATE = 8;
  public static final int CONTINUATION = 9;

  public static final int END_STREAM = 1;
  public static final int END_HEADERS = 4;
  public static final int ACK = 1;

  public static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private static final int PATIENCE_MILLIS = 60_000;
  private static final int FRAMES_AT_ONCE = 500;
  private static final int MAX_PREFIXED = 127;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  /** A frame from the server. */
  public record Frame(int type, int flags, int stream, byte[] payload) {
    public boolean endsStream() {
      return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
    }

    /** The code of a GOAWAY or RST_STREAM. */
    public int error() {
      return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0);
    }

    /** The status of a response, of those that have a place in HPACK's static table. */
    public int status() {
      return switch (payload[0]) {
        case (byte) 0x88 -> 200;
        case (byte) 0x89 -> 204;
        case (byte) 0x8a -> 206;
        case (byte) 0x8b -> 304;
        case (byte) 0x8c -> 400;
        case (byte) 0x8d -> 404;
        default -> -1;
      };
    }
  }

  /** Connects, and says nothing. */
  public RawHttp2(int port) throws IOException {
    this(new Socket("127.0.0.1", port));
  }

  /** Takes a connection, and says nothing. */
  public RawHttp2(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(PATIENCE_MILLIS);
    // Small frames would wait for acknowledgements that are put off.
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** Connects with the preface and empty settings. */
  public static RawHttp2 open(int port) throws IOException {
    return open(new Socket("127.0.0.1", port));
  }

  /** Takes a connection, with the preface and empty settings. */
  public static RawHttp2 open(Socket socket) throws IOException {
    RawHttp2 raw = new RawHttp2(socket);
    raw.send(PREFACE);
    raw.send(SETTINGS, 0, 0, new byte[0]);
    return raw;
  }

  /** Receives the server's settings, and acknowledges them: its windows are valid then. */
  public void acceptSettings() throws IOException {
    var unused = await(SETTINGS);
    send(SETTINGS, ACK, 0, new byte[0]);
  }

  public void send(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public void send(int type, int flags, int stream, byte[] payload) throws IOException {
    out.write(frame(type, flags, stream, payload));
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    return frame.array();
  }

  /** Sends a frame many times, in writes of many. */
  public void flood(int frames, int type, int flags, int stream, byte[] payload)
      throws IOException {
    ByteArrayOutputStream many = new ByteArrayOutputStream();
    for (int i = 0; i < FRAMES_AT_ONCE; i++) {
      many.write(frame(type, flags, stream, payload));
    }
    for (int sent = 0; sent < frames; sent += FRAMES_AT_ONCE) {
      out.write(many.toByteArray());
    }
  }

  /** Sends the head of a request; more fields are names and values in turn. */
  public void request(int stream, boolean last, String method, String path, String... fields)
      throws IOException {
    int flags = END_HEADERS | (last ? END_STREAM : 0);
    send(HEADERS, flags, stream, head(method, path, fields));
  }

  /** Sends the head of a call of Ferry's service; more fields are names and values in turn. */
  public void call(int stream, String method, String... fields) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(
        head(
            "POST",
            "/ferry.v1.Files/" + method,
            "te",
            "trailers",
            "content-type",
            "application/grpc"));
    block.writeBytes(fields(fields));
    send(HEADERS, END_HEADERS, stream, block.toByteArray());
  }

  /** The block of a request's fields, nothing indexed and nothing Huffman-coded. */
  public static byte[] head(String method, String path, String... fields) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(
        fields(":method", method, ":scheme", "http", ":authority", "localhost", ":path", path));
    block.writeBytes(fields(fields));
    return block.toByteArray();
  }

  /** A block of fields, names and values in turn; those without a value are left out. */
  public static byte[] fields(@Nullable String... fields) throws IOException {
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

  public void resetStream(int stream) throws IOException {
    send(RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(8).array());
  }

  /** Lets the server send more, on a stream or, with 0, on the connection. */
  public void allow(int stream, int bytes) throws IOException {
    send(WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(bytes).array());
  }

  /** Reads until the server closes the connection, orderly or not. */
  public void awaitClose() throws IOException {
    try {
      in.skipNBytes(Long.MAX_VALUE);
    } catch (EOFException | SocketException closed) {
      return;
    }
  }

  /** Returns the next frame of any type. Acknowledges settings. */
  public Frame next() throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = new byte[length];
    in.readFully(payload);
    if (type == SETTINGS && (flags & ACK) == 0) {
      try {
        send(SETTINGS, ACK, 0, new byte[0]);
      } catch (SocketException closed) {
        // Frames that were sent before can still be read.
        return new Frame(type, flags, stream, payload);
      }
    }
    return new Frame(type, flags, stream, payload);
  }

  /** The next frame of a type. */
  public Frame await(int type) throws IOException {
    while (true) {
      Frame frame = next();
      if (frame.type() == type) {
        return frame;
      }
    }
  }

  /** The next acknowledgement of settings, or a GOAWAY that comes before it. */
  public Frame awaitAcknowledgedSettings() throws IOException {
    while (true) {
      Frame frame = next();
      boolean acknowledged = frame.type() == SETTINGS && (frame.flags() & ACK) != 0;
      if (acknowledged || frame.type() == GOAWAY) {
        return frame;
      }
    }
  }

  /** What arrives on a stream, as far as the windows let it, until the stream ends. */
  public byte[] body(int stream) throws IOException {
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
  public String readHead() throws IOException {
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
