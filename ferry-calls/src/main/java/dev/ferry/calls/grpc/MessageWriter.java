package dev.ferry.calls.grpc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a message of protobuf in one pass, where generated code takes two: the length of an
 * element is put before it when it is written, and a text of ASCII is looked at once. Fields are as
 * proto3 has them: what has its default value is not written. A long list becomes several pieces,
 * each of whole elements. For one thread at a time.
 */
final class MessageWriter {
  /** Bytes from which on what is written becomes a piece. */
  private static final int PIECE = 32 * 1024;

  /** It grows with what is written. */
  private static final int FIRST_BYTES = 1024;

  /** An array that is longer is not kept for the next message. */
  private static final int MOST_KEPT = 8 * PIECE;

  /** Bytes of a varint at most; tags and lengths have fewer. */
  private static final int MAX_VARINT = 10;

  private static final int FIXED64 = 8;
  private static final int PREFIX = 5;
  private static final int SEVEN_BITS = 0x7f;
  private static final int MORE = 0x80;

  private static final ThreadLocal<MessageWriter> KEPT =
      ThreadLocal.withInitial(MessageWriter::new);

  private @Nullable List<byte[]> pieces;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int position;
  private int depth;
  private boolean taken;

  private MessageWriter() {}

  /** The thread's own, or another one while that is taken; {@link #giveBack} it in any case. */
  static MessageWriter take() {
    MessageWriter own = KEPT.get();
    MessageWriter writer = own.taken ? new MessageWriter() : own;
    writer.taken = true;
    return writer;
  }

  /** It is empty again, for what the thread writes next. */
  void giveBack() {
    if (bytes.length > MOST_KEPT) {
      bytes = new byte[FIRST_BYTES];
    }
    pieces = null;
    position = 0;
    depth = 0;
    taken = false;
  }

  /** A field of varints. */
  void write(int field, long value) {
    if (value != 0) {
      require(2 * MAX_VARINT);
      varint(Fields.varint(field));
      varint(value);
    }
  }

  /** A double. */
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

  /** A text; a surrogate without its other half becomes a question mark. */
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

  /** Writes a text of one byte a character, or returns that it is another. */
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
   * Begins a field that is a message; its fields follow.
   *
   * @return where they begin, for {@link #end}
   */
  int begin(int field) {
    require(2 * MAX_VARINT);
    varint(Fields.bytes(field));
    // Most lengths have one byte.
    position++;
    depth++;
    return position;
  }

  /** Ends a field that is a message. */
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
    if (depth == 0 && position >= PIECE) {
      cut();
    }
  }

  /**
   * Begins a message as it stands on the wire of gRPC, not compressed; its fields follow. Frames
   * follow each other in one array, and are not cut.
   *
   * @return where the fields begin, for {@link #endFrame}
   */
  int beginFrame() {
    require(PREFIX);
    bytes[position] = 0;
    position += PREFIX;
    depth++;
    return position;
  }

  /**
   * Ends a message as it stands on the wire.
   *
   * @return its length, without what is before it
   */
  int endFrame(int start) {
    int length = position - start;
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes[start - 1 - i] = (byte) (length >>> Byte.SIZE * i);
    }
    depth--;
    return length;
  }

  /** The whole message, in arrays that are the caller's; nothing is written to it any more. */
  List<byte[]> pieces() {
    List<byte[]> all = pieces;
    if (all == null) {
      return List.of(Arrays.copyOf(bytes, position));
    }
    if (position > 0) {
      cut();
    }
    return all;
  }

  /** Has the frames, {@link #length} bytes from its beginning, until more is written. */
  byte[] array() {
    return bytes;
  }

  /** Bytes of the frames. */
  int length() {
    return position;
  }

  private void cut() {
    if (pieces == null) {
      pieces = new ArrayList<>();
    }
    pieces.add(Arrays.copyOf(bytes, position));
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

  /** Makes room for so many bytes more. */
  private void require(int more) {
    if (bytes.length - position < more) {
      bytes = Arrays.copyOf(bytes, Math.addExact(Math.max(position, more), bytes.length));
    }
  }
}
