package dev.ferry.http.internal.http1;

import dev.ferry.core.internal.CallReport;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.OtherProtocolException;
import dev.ferry.http.internal.http1.ResponseHead.Field;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the text of responses (RFC 9112) out of the buffer of a connection: heads, sizes of chunks,
 * and trailer fields. What a server may send of it is limited. For one thread at a time.
 */
final class ResponseReader {
  /** Limit of a head, or of the trailer fields, in bytes. */
  static final int MAX_HEAD_BYTES = 64 * 1024;

  /** Limit of the fields of a head, or of the trailer fields. */
  static final int MAX_FIELDS = 256;

  /** Limit of the line with the size of a chunk, whose extensions nobody uses. */
  static final int MAX_CHUNK_LINE = 1024;

  /** Limit of the responses that precede the final one. */
  static final int MAX_INTERIM = 16;

  private static final int SWITCHING_PROTOCOLS = 101;

  /** As long as most lines. */
  private static final int LOOK_BYTES = 64;

  /** The type of a record of TLS, by which a server refuses what is not TLS. */
  private static final byte TLS_ALERT = 0x15;

  /** The first byte of the length of SETTINGS, which a server of HTTP/2 sends first. */
  private static final byte HTTP2_LENGTH = 0;

  /** Fewer hexadecimal digits than would overflow a long. */
  private static final int MAX_SIZE_DIGITS = 15;

  private final ReadableByteChannel channel;
  private final ByteBuffer buffer;

  /** For {@link #lineLength}. */
  private final byte[] look = new byte[LOOK_BYTES];

  private int interim;
  private boolean begun;

  /**
   * @param buffer has what was received, from its position to its limit; larger than {@link
   *     #MAX_HEAD_BYTES}
   */
  ResponseReader(ReadableByteChannel channel, ByteBuffer buffer) {
    this.channel = channel;
    this.buffer = buffer;
  }

  /** Returns the buffer with what was received and not read. */
  ByteBuffer buffer() {
    return buffer;
  }

  /** Whether any byte of a response has arrived. */
  boolean begun() {
    return begun || buffer.hasRemaining();
  }

  /**
   * Receives more bytes behind those that are not read yet.
   *
   * @return false at the end of the connection
   */
  boolean receive() throws IOException {
    if (buffer.hasRemaining()) {
      buffer.compact();
    } else {
      buffer.clear();
    }
    int n;
    try {
      n = channel.read(buffer);
    } finally {
      buffer.flip();
    }
    return n >= 0;
  }

  /** Reads the final head, and skips those that precede it. */
  ResponseHead finalHead() throws IOException {
    ResponseHead head = head();
    while (head.isInterim()) {
      head = head();
    }
    interim = 0;
    return head;
  }

  /** Reads the next head, which may be {@linkplain ResponseHead#isInterim interim}. */
  ResponseHead head() throws IOException {
    requireText();
    Budget budget = new Budget(MAX_HEAD_BYTES);
    String line = line(budget);
    int status = status(line);
    ResponseHead head = new ResponseHead(status, line.charAt(7) == '0', fields(budget));
    if (head.isInterim() && (status == SWITCHING_PROTOCOLS || ++interim > MAX_INTERIM)) {
      throw new ProtocolException("unexpected response " + line);
    }
    return head;
  }

  /** Looks at the first byte: other protocols need not send the end of a line. */
  private void requireText() throws IOException {
    if (!buffer.hasRemaining() && !receive()) {
      throw new EOFException("the connection ended before a response");
    }
    byte first = buffer.get(buffer.position());
    if (first == TLS_ALERT) {
      throw new OtherProtocolException(CallReport.Peer.TLS);
    }
    if (first == HTTP2_LENGTH) {
      throw new OtherProtocolException(CallReport.Peer.GRPC);
    }
  }

  private static int status(String line) throws ProtocolException {
    boolean sound =
        line.length() >= 12
            && (line.startsWith("HTTP/1.1 ") || line.startsWith("HTTP/1.0 "))
            && (line.length() == 12 || line.charAt(12) == ' ');
    int status = 0;
    for (int i = 9; sound && i < 12; i++) {
      int digit = line.charAt(i) - '0';
      sound = digit >= 0 && digit <= 9;
      status = 10 * status + digit;
    }
    if (!sound || status < 100 || status >= 600) {
      throw new ProtocolException(Call.NOT_HTTP);
    }
    return status;
  }

  private List<Field> fields(Budget budget) throws IOException {
    List<Field> fields = new ArrayList<>();
    StringBuilder folded = new StringBuilder();
    for (String line = line(budget); !line.isEmpty(); line = line(budget)) {
      int last = fields.size() - 1;
      if (isBlank(line.charAt(0)) && last >= 0) {
        // A folded line, which old servers send.
        folded.append(' ').append(line.strip());
        continue;
      }
      unfold(fields, folded);
      int colon = line.indexOf(':');
      for (int i = 0; i < colon; i++) {
        if (!isToken(line.charAt(i))) {
          colon = -1;
        }
      }
      if (colon <= 0 || fields.size() == MAX_FIELDS) {
        throw new ProtocolException(colon <= 0 ? "not an HTTP field" : "too many fields");
      }
      fields.add(new Field(line.substring(0, colon), line.substring(colon + 1).strip()));
    }
    unfold(fields, folded);
    return fields;
  }

  /** Adds the folded lines to the value of the last field: all at once, since there may be many. */
  private static void unfold(List<Field> fields, StringBuilder folded) {
    if (!folded.isEmpty()) {
      int last = fields.size() - 1;
      Field begun = fields.get(last);
      fields.set(last, new Field(begun.name(), (begun.value() + folded).strip()));
      folded.setLength(0);
    }
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static boolean isToken(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  /** Reads the line before a chunk, and returns the size; 0 for the last chunk. */
  long chunkSize() throws IOException {
    String line = line(new Budget(MAX_CHUNK_LINE));
    long size = 0;
    int digits = 0;
    while (digits < line.length() && Character.digit(line.charAt(digits), 16) >= 0) {
      size = 16 * size + Character.digit(line.charAt(digits), 16);
      if (++digits > MAX_SIZE_DIGITS) {
        throw new ProtocolException("a chunk is too large");
      }
    }
    String rest = line.substring(digits).strip();
    if (digits == 0 || !(rest.isEmpty() || rest.startsWith(";"))) {
      throw new ProtocolException("not a chunk size");
    }
    return size;
  }

  /** Reads the line break behind a chunk. */
  void chunkEnd() throws IOException {
    if (!line(new Budget(2)).isEmpty()) {
      throw new ProtocolException("a chunk is longer than its size");
    }
  }

  /** Reads the fields behind the last chunk. */
  List<Field> trailers() throws IOException {
    return fields(new Budget(MAX_HEAD_BYTES));
  }

  /** Bytes that may still come. */
  private static final class Budget {
    private int left;

    Budget(int bytes) {
      left = bytes;
    }
  }

  /** Reads a line without its line break, which may be a mere LF. */
  private String line(Budget budget) throws IOException {
    int scanned = 0;
    while (true) {
      int length = lineLength(scanned, Math.min(buffer.remaining(), budget.left));
      if (length > 0) {
        begun = true;
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        budget.left -= length;
        return text(bytes);
      }
      scanned = buffer.remaining();
      if (scanned >= budget.left) {
        throw new ProtocolException("too many bytes of fields");
      }
      if (!receive()) {
        throw new EOFException("the connection ended in the text of a response");
      }
    }
  }

  /**
   * Returns the bytes to the end of the line; 0 if that has not come. Looks at copies: to get each
   * byte of the buffer takes several times as long.
   *
   * @param from bytes without an end
   * @param to bytes to look at
   */
  private int lineLength(int from, int to) {
    for (int begin = from; begin < to; begin += look.length) {
      int count = Math.min(look.length, to - begin);
      buffer.get(buffer.position() + begin, look, 0, count);
      for (int i = 0; i < count; i++) {
        if (look[i] == '\n') {
          return begin + i + 1;
        }
      }
    }
    return 0;
  }

  private static String text(byte[] line) throws ProtocolException {
    int length = line.length - 1;
    if (length > 0 && line[length - 1] == '\r') {
      length--;
    }
    for (int i = 0; i < length; i++) {
      if ((line[i] >= 0 && line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f) {
        throw new ProtocolException("a control character");
      }
    }
    return new String(line, 0, length, StandardCharsets.ISO_8859_1);
  }
}
