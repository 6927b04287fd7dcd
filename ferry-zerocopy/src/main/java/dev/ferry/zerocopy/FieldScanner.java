package dev.ferry.zerocopy;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds a {@code bytes} field at the top level of an encoded message, without parsing the message
 * (https://protobuf.dev/programming-guides/encoding/). Reads each byte at most once, and skips the
 * contents of fields. For one thread.
 */
final class FieldScanner {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  static final int LENGTH_DELIMITED = 2;
  private static final int START_GROUP = 3;
  private static final int END_GROUP = 4;
  private static final int FIXED32 = 5;
  private static final int TYPE_BITS = 3;
  private static final int TYPE_MASK = 7;

  /** protobuf refuses deeper messages (CodedInputStream's recursion limit). */
  private static final int MAX_DEPTH = 100;

  private static final int MAX_VARINT = 10;
  private static final int PAYLOAD_BITS = 7;

  /**
   * Where a field is, in bytes from the start of the message.
   *
   * @param start the first byte of its tag
   * @param payload the first of its bytes
   * @param end the byte after the last of its bytes
   */
  record Place(int start, int payload, int end) {
    /** Of a field that a message does not have. */
    static final Place NONE = new Place(-1, -1, -1);

    int length() {
      return end - payload;
    }
  }

  private final List<ByteBuffer> views;
  private final int length;
  private ByteBuffer view;
  private int nextView;
  private int inView;

  /** Bytes of the message before the current position. */
  private int position;

  private FieldScanner(List<ByteBuffer> views, int length) {
    this.views = views;
    this.length = length;
    this.view = ByteBuffer.allocate(0);
  }

  /**
   * Returns the place of a field that a message has once.
   *
   * @param views the whole message; their positions stay as they are
   * @param length bytes of the message
   * @param tag the tag of the field
   * @return {@link Place#NONE} if the message does not have the field; null if it has it several
   *     times, or if the message is malformed
   */
  static @Nullable Place find(List<ByteBuffer> views, int length, int tag) {
    return new FieldScanner(views, length).find(tag);
  }

  private @Nullable Place find(int tag) {
    Place found = Place.NONE;
    int depth = 0;
    while (position < length) {
      int start = position;
      long read = varint();
      if (read < 1 << TYPE_BITS || read > 0xffff_ffffL) {
        return null;
      }
      boolean ok;
      switch ((int) read & TYPE_MASK) {
        case VARINT -> ok = skipVarint();
        case FIXED64 -> ok = skip(Long.BYTES);
        case FIXED32 -> ok = skip(Integer.BYTES);
        case START_GROUP -> ok = ++depth <= MAX_DEPTH;
        case END_GROUP -> ok = --depth >= 0;
        case LENGTH_DELIMITED -> {
          long bytes = varint();
          int payload = position;
          ok = bytes >= 0 && skip(bytes);
          if (ok && depth == 0 && (int) read == tag) {
            if (found != Place.NONE) {
              return null;
            }
            found = new Place(start, payload, position);
          }
        }
        default -> ok = false;
      }
      if (!ok) {
        return null;
      }
    }
    return depth == 0 ? found : null;
  }

  /** Returns an unsigned number; negative if it is malformed or over 63 bits. */
  private long varint() {
    long value = 0;
    for (int i = 0; i < MAX_VARINT; i++) {
      int b = read();
      if (b < 0) {
        return -1;
      }
      value |= (long) (b & 0x7f) << (PAYLOAD_BITS * i);
      if (b < 0x80) {
        return value;
      }
    }
    return -1;
  }

  private boolean skipVarint() {
    for (int i = 0; i < MAX_VARINT; i++) {
      int b = read();
      if (b < 0x80) {
        return b >= 0;
      }
    }
    return false;
  }

  /** Returns the next byte; negative at the end. */
  private int read() {
    if (position == length || !atByte()) {
      return -1;
    }
    position++;
    return view.get(inView++) & 0xff;
  }

  private boolean skip(long bytes) {
    if (bytes > length - position) {
      return false;
    }
    position += (int) bytes;
    int left = (int) bytes;
    while (left > 0) {
      if (!atByte()) {
        return false;
      }
      int n = Math.min(left, view.limit() - inView);
      inView += n;
      left -= n;
    }
    return true;
  }

  /** Moves to the view of the next byte. */
  private boolean atByte() {
    while (inView == view.limit()) {
      if (nextView == views.size()) {
        return false;
      }
      view = views.get(nextView++);
      inView = view.position();
    }
    return true;
  }
}
