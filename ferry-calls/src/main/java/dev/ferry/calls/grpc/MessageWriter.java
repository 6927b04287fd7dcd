package dev.ferry.calls.grpc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes protobuf messages in one pass. Generated code needs two. The length of a nested message is
 * inserted after the message is written, and ASCII text is scanned once. As in proto3, fields with
 * their default value are not written. A long list becomes several arrays of complete elements. Not
 * thread-safe.
 */
final class MessageWriter {
  /** Bytes from which on the written elements are moved to a separate array. */
  private static final int CUT_BYTES = 32 * 1024;

  /** Initial size of the array, which grows as needed. */
  private static final int FIRST_BYTES = 1024;

  /** Longer arrays are not kept for the next message. */
  private static final int MOST_KEPT = 8 * CUT_BYTES;

  /** Maximum bytes of a varint. Tags and lengths have fewer. */
  private static final int MAX_VARINT = 10;

  private static final int FIXED64 = 8;
  private static final int PREFIX = 5;
  private static final int SEVEN_BITS = 0x7f;
  private static final int MORE = 0x80;

  private static final ThreadLocal<MessageWriter> KEPT =
      ThreadLocal.withInitial(MessageWriter::new);

  private @Nullable List<byte[]> arrays;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int position;
  private int depth;
  private boolean taken;

  private MessageWriter() {}

  /**
   * Returns the writer of the thread, or a new one if that is in use. The caller must call {@link
   * #giveBack}.
   */
  static MessageWriter take() {
    MessageWriter own = KEPT.get();
    MessageWriter writer = own.taken ? new MessageWriter() : own;
    writer.taken = true;
    return writer;
  }

  /** Resets the writer for the next message of the thread. */
  void giveBack() {
    if (bytes.length > MOST_KEPT) {
      bytes = new byte[FIRST_BYTES];
    }
    arrays = null;
    position = 0;
    depth = 0;
    taken = false;
  }

  /** Writes a varint field. */
  void write(int field, long value) {
    if (value != 0) {
      require(2 * MAX_VARINT);
      varint(Fields.varint(field));
      varint(value);
    }
  }

  /** Writes a double field. */
  void write(int field, double value) {
    long bits = Double.doubleToRawLongBits(value);
    if (bits != 0) {
      require(MAX_VARINT + FIXED64);
      varint(Fields.fixed64(field));
      for (int i = 0; i < FIXED64; i++) {
        bytes[position++] = (byte) (bits >>> Byte.SIZE * i);
      }
    }
  }

  /** Writes a string field. Unpaired surrogates become question marks. */
  void write(int field, String value) {
    int length = value.length();
    if (length > 0) {
      require(2 * MAX_VARINT + length);
      varint(Fields.bytes(field));
      int start = position;
      varint(length);
      if (!ascii(value, length)) {
        position = start;
        utf8(value);
      }
    }
  }

  /** Writes a text if it is ASCII. Returns false if it is not. */
  private boolean ascii(String value, int length) {
    byte[] to = bytes;
    int at = position;
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (c >= MORE) {
        return false;
      }
      to[at + i] = (byte) c;
    }
    position = at + length;
    return true;
  }

  private void utf8(String value) {
    byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
    require(MAX_VARINT + encoded.length);
    varint(encoded.length);
    System.arraycopy(encoded, 0, bytes, position, encoded.length);
    position += encoded.length;
  }

  /**
   * Begins a message field. Its fields follow.
   *
   * @return the start of its fields, for {@link #end}
   */
  int begin(int field) {
    require(2 * MAX_VARINT);
    varint(Fields.bytes(field));
    // Most lengths need one byte.
    position++;
    depth++;
    return position;
  }

  /** Ends a message field. */
  void end(int start) {
    int length = position - start;
    if (length <= SEVEN_BITS) {
      bytes[start - 1] = (byte) length;
    } else {
      int more = varintSize(length) - 1;
      require(more);
      System.arraycopy(bytes, start, bytes, start + more, length);
      position = start - 1;
      varint(length);
      position += length;
    }
    depth--;
    if (depth == 0 && position >= CUT_BYTES) {
      cut();
    }
  }

  /**
   * Begins an uncompressed gRPC message with its prefix. Its fields follow. Such messages are
   * written to one array one after the other, and are not split.
   *
   * @return the start of its fields, for {@link #endFrame}
   */
  int beginFrame() {
    require(PREFIX);
    bytes[position] = 0;
    position += PREFIX;
    depth++;
    return position;
  }

  /**
   * Ends a gRPC message.
   *
   * @return its length, without the prefix
   */
  int endFrame(int start) {
    int length = position - start;
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[start - 1 - i] = (byte) (length >>> Byte.SIZE * i);
    }
    depth--;
    return length;
  }

  /**
   * Returns the whole message in arrays that the caller owns. Nothing may be written after this.
   */
  List<byte[]> arrays() {
    List<byte[]> all = arrays;
    if (all == null) {
      return List.of(Arrays.copyOf(bytes, position));
    }
    if (position > 0) {
      cut();
    }
    return all;
  }

  /**
   * The array with the gRPC messages. The first {@link #length} bytes are valid until the next
   * write.
   */
  byte[] array() {
    return bytes;
  }

  /** Bytes of the gRPC messages. */
  int length() {
    return position;
  }

  private void cut() {
    if (arrays == null) {
      arrays = new ArrayList<>();
    }
    arrays.add(Arrays.copyOf(bytes, position));
    position = 0;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~SEVEN_BITS) != 0) {
      bytes[position++] = (byte) (rest & SEVEN_BITS | MORE);
      rest >>>= 7;
    }
    bytes[position++] = (byte) rest;
  }

  private static int varintSize(int value) {
    return (Integer.SIZE - Integer.numberOfLeadingZeros(value) + 6) / 7;
  }

  /** Ensures space for this many more bytes. */
  private void require(int more) {
    if (bytes.length - position < more) {
      bytes = Arrays.copyOf(bytes, Math.addExact(Math.max(position, more), bytes.length));
    }
  }
}
