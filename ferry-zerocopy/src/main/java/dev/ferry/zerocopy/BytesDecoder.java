package dev.ferry.zerocopy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.ferry.zerocopy.FieldScanner.Place;
import io.netty.buffer.ByteBuf;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells the bytes of a {@link BytesField} from the rest of an encoded message. Thread-safe. */
final class BytesDecoder<M extends MessageLite> {
  private static final int PAYLOAD_BITS = 7;
  private static final int LONGEST_VARINT = 5;

  private final BytesField<M> field;

  /** Whether a message needs no other field than the one of bytes. */
  private final boolean complete;

  BytesDecoder(BytesField<M> field) {
    this.field = field;
    this.complete = field.prototype().isInitialized();
  }

  /**
   * Returns the number of bytes before the payload of a message that has this field alone.
   *
   * @param start a view of the first bytes; its position stays as it is
   * @param length bytes of the whole message
   * @return negative if the message has anything else, or if the payload begins behind the view
   */
  int header(ByteBuffer start, int length) {
    int at = start.position();
    int end = Math.min(start.limit(), at + 2 * LONGEST_VARINT);
    for (int tag = field.tag(); ; tag >>>= PAYLOAD_BITS) {
      boolean last = (tag & -0x80) == 0;
      if (at == end || start.get(at++) != (byte) (last ? tag : tag | 0x80)) {
        return -1;
      }
      if (last) {
        break;
      }
    }
    long payload = 0;
    for (int shift = 0; at < end && shift < LONGEST_VARINT * PAYLOAD_BITS; shift += PAYLOAD_BITS) {
      int b = start.get(at++);
      payload |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        int header = at - start.position();
        return complete && payload == length - header ? header : -1;
      }
    }
    return -1;
  }

  /**
   * Returns a message that is encoded in a buffer.
   *
   * @param encoded owned by the message, also if this method throws
   */
  BytesMessage<M> decode(ByteBuf encoded) throws InvalidProtocolBufferException {
    boolean kept = false;
    try {
      ByteBuffer view = encoded.nioBuffer();
      int length = view.remaining();
      int header = header(view, length);
      BytesMessage<M> message;
      if (header >= 0) {
        view.position(view.position() + header);
        message = alone(List.of(view), encoded::release);
      } else {
        message = decode(List.of(view), length, encoded::release);
      }
      kept = message instanceof IncomingMessage<M> incoming && incoming.ownsBuffers();
      return message;
    } finally {
      if (!kept) {
        encoded.release();
      }
    }
  }

  /** Returns a message that has this field alone. */
  IncomingMessage<M> alone(List<ByteBuffer> bytes, Closeable owner) {
    return new IncomingMessage<>(field, field.prototype(), bytes, owner);
  }

  /**
   * Returns a message that is encoded in views. {@link IncomingMessage#ownsBuffers} says whether it
   * needs them any more.
   *
   * @param length bytes of the message
   * @param owner releases the views
   */
  BytesMessage<M> decode(List<ByteBuffer> views, int length, Closeable owner)
      throws InvalidProtocolBufferException {
    Place place = FieldScanner.find(views, length, field.tag());
    if (place == Place.NONE) {
      return field.message(checked(field.parse(views)));
    }
    M rest = place == null ? null : rest(views, length, place);
    if (place == null || rest == null) {
      return normalized(field.parse(views));
    }
    List<ByteBuffer> bytes = slice(views, place.payload(), place.end());
    return new IncomingMessage<>(field, rest, bytes, owner);
  }

  /** Returns the message without its bytes; null if another field decides whether it has them. */
  private @Nullable M rest(List<ByteBuffer> views, int length, Place place)
      throws InvalidProtocolBufferException {
    int before = place.start();
    int after = length - place.end();
    if (before + after == 0) {
      return withoutBytes(field.prototype());
    }
    ByteBuffer others = ByteBuffer.allocate(before + after);
    slice(views, 0, before).forEach(others::put);
    slice(views, place.end(), length).forEach(others::put);
    M rest = field.parse(others.array());
    return field.isAlone() || isUnaffectedByBytes(rest) ? withoutBytes(rest) : null;
  }

  /**
   * Returns whether a message keeps all its fields when it is given bytes: no other field of their
   * {@code oneof} is set. Without a descriptor, which the lite runtime does not have.
   */
  private boolean isUnaffectedByBytes(M rest) {
    int grown = field.withBytes(rest, List.of(ByteBuffer.allocate(1))).getSerializedSize();
    return grown == rest.getSerializedSize() + field.encodedLength(1);
  }

  /** Returns a message whose required fields are set. */
  private M checked(M message) throws InvalidProtocolBufferException {
    if (!message.isInitialized()) {
      throw new InvalidProtocolBufferException("a required field is missing");
    }
    return message;
  }

  /** Returns a message whose required fields are set, of which the bytes may be one. */
  private M withoutBytes(M rest) throws InvalidProtocolBufferException {
    if (!rest.isInitialized()) {
      checked(field.withBytes(rest, List.of()));
    }
    return rest;
  }

  /**
   * Returns what the generated code has read: from a message that has the field several times, or
   * another field of the same {@code oneof}.
   */
  private BytesMessage<M> normalized(M message) throws InvalidProtocolBufferException {
    byte[] encoded = checked(message).toByteArray();
    ByteBuffer view = ByteBuffer.wrap(encoded);
    Place place = FieldScanner.find(List.of(view), encoded.length, field.tag());
    if (place == null || place == Place.NONE) {
      return field.message(message);
    }
    M rest = field.parse(BytesField.without(encoded, place));
    List<ByteBuffer> bytes = slice(List.of(view), place.payload(), place.end());
    return new IncomingMessage<>(field, rest, bytes, null);
  }

  /** Returns views of a region of a message. */
  private static List<ByteBuffer> slice(List<ByteBuffer> views, int from, int to) {
    List<ByteBuffer> region = new ArrayList<>(views.size());
    int base = 0;
    for (ByteBuffer view : views) {
      int n = view.remaining();
      int start = Math.max(from - base, 0);
      int end = Math.min(to - base, n);
      if (start < end) {
        region.add(view.slice(view.position() + start, end - start));
      }
      base += n;
    }
    return region;
  }
}
