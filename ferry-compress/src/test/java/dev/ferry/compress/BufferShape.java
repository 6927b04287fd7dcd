package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.Stream;

/** The forms in which a buffer can come; each has bytes of others before and behind its own. */
enum BufferShape {
  HEAP(false, false, false),
  HEAP_SLICE(false, true, false),
  HEAP_READ_ONLY(false, true, true),
  DIRECT(true, false, false),
  DIRECT_SLICE(true, true, false),
  DIRECT_READ_ONLY(true, false, true);

  private static final int MARGIN = 7;
  private static final byte OTHERS = 0x55;

  private final boolean direct;
  private final boolean slice;
  private final boolean readOnly;

  BufferShape(boolean direct, boolean slice, boolean readOnly) {
    this.direct = direct;
    this.slice = slice;
    this.readOnly = readOnly;
  }

  /** Those that can be written to. */
  static List<BufferShape> writable() {
    return Stream.of(values()).filter(shape -> !shape.readOnly).toList();
  }

  /** A buffer whose remaining bytes are these. */
  ByteBuffer of(byte[] bytes) {
    ByteBuffer buffer = whole(bytes.length);
    buffer.duplicate().put(bytes);
    return readOnly ? buffer.asReadOnlyBuffer().order(buffer.order()) : buffer;
  }

  /** A buffer with that much room. */
  ByteBuffer room(int bytes) {
    if (readOnly) {
      throw new IllegalStateException("a target is writable");
    }
    return whole(bytes);
  }

  private ByteBuffer whole(int bytes) {
    int capacity = bytes + 4 * MARGIN;
    ByteBuffer buffer =
        direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
    while (buffer.hasRemaining()) {
      buffer.put(OTHERS);
    }
    buffer.clear();
    if (slice) {
      buffer = buffer.slice(MARGIN, bytes + 2 * MARGIN).order(ByteOrder.LITTLE_ENDIAN);
    }
    return buffer.position(MARGIN).limit(MARGIN + bytes);
  }

  /** Whether the bytes around those of the buffer are as they were; for a buffer of this shape. */
  static boolean marginsAreWhole(ByteBuffer buffer, int room) {
    for (int i = 0; i < MARGIN; i++) {
      if (buffer.duplicate().clear().get(i) != OTHERS
          || buffer.duplicate().clear().get(MARGIN + room + i) != OTHERS) {
        return false;
      }
    }
    return true;
  }

  /** What stands between the margin and the position. */
  static byte[] written(ByteBuffer target) {
    byte[] bytes = new byte[target.position() - MARGIN];
    target.duplicate().position(MARGIN).get(bytes);
    return bytes;
  }
}
