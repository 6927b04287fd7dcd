package dev.ferry.grpc.internal.message;

import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.wire.internal.v1.FilePart;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;

/**
 * The protobuf encoding of a {@link FilePart} that contains only a chunk: a one-byte tag, the
 * length as a varint, and the bytes
 * (https://protobuf.dev/programming-guides/encoding/#length-types).
 */
final class WireFormat {
  private static final int LENGTH_DELIMITED = 2;
  static final int CHUNK_TAG = FilePart.CHUNK_FIELD_NUMBER << 3 | LENGTH_DELIMITED;

  /** Bytes of the longest header: the tag and a varint of five bytes. */
  static final int MAX_HEADER = 6;

  private WireFormat() {}

  /** Returns the number of bytes before the payload of a chunk of this length. */
  static int headerSize(int length) {
    int size = 2;
    for (int rest = length >>> 7; rest != 0; rest >>>= 7) {
      size++;
    }
    return size;
  }

  /** Returns the payload bytes of a chunk message of this length. */
  static int payloadLength(int messageLength) {
    for (int header = 2; header < MAX_HEADER; header++) {
      if (headerSize(messageLength - header) == header) {
        return messageLength - header;
      }
    }
    throw new IllegalArgumentException("no chunk has a message of " + messageLength + " bytes");
  }

  /** Writes the bytes before the payload into a buffer without moving its indexes. */
  static void writeHeader(ByteBuf target, int offset, int length) {
    int i = offset;
    target.setByte(i++, CHUNK_TAG);
    int rest = length;
    while (rest > 0x7f) {
      target.setByte(i++, rest | 0x80);
      rest >>>= 7;
    }
    target.setByte(i, rest);
  }

  /**
   * Returns the number of bytes before the payload of a message that contains only a chunk. Returns
   * a negative number if the message contains anything else or if its header extends beyond {@code
   * start}.
   *
   * @param length bytes of the whole message
   */
  static int chunkHeader(ByteBuffer start, int length) {
    int at = start.position();
    if (!start.hasRemaining() || start.get(at) != CHUNK_TAG) {
      return -1;
    }
    long payload = 0;
    int end = Math.min(start.remaining(), MAX_HEADER);
    for (int i = 1; i < end; i++) {
      int b = start.get(at + i);
      payload |= (long) (b & 0x7f) << (7 * (i - 1));
      if (b >= 0) {
        return payload == length - (i + 1) ? i + 1 : -1;
      }
    }
    return -1;
  }

  /**
   * The beginning of a message, read to determine its type.
   *
   * @param bytes an array whose first {@code count} bytes were read
   * @param payloadLength the announced length in bytes of the chunk that follows; negative if the
   *     message does not start with a chunk of an allowed length
   */
  record Header(byte[] bytes, int count, int payloadLength) {
    /** Returns whether the message starts with a chunk of an allowed length. */
    boolean isChunk() {
      return payloadLength >= 0;
    }
  }

  /**
   * Reads a message up to the start of its chunk. Stops earlier if the message cannot be a chunk.
   */
  static Header readHeader(InputStream message) throws IOException {
    byte[] bytes = new byte[MAX_HEADER];
    int b = message.read();
    if (b < 0) {
      return new Header(bytes, 0, -1);
    }
    bytes[0] = (byte) b;
    int count = 1;
    if (b != CHUNK_TAG) {
      return new Header(bytes, count, -1);
    }
    long length = 0;
    for (int shift = 0; count < MAX_HEADER; shift += 7) {
      b = message.read();
      if (b < 0) {
        break;
      }
      bytes[count++] = (byte) b;
      length |= (long) (b & 0x7f) << shift;
      if (b < 0x80) {
        return new Header(bytes, count, length <= Limits.MAX_MESSAGE ? (int) length : -1);
      }
    }
    return new Header(bytes, count, -1);
  }

  /** Parses a message with the generated protobuf code. Part of the message was already read. */
  static FilePart parse(InputStream rest, byte[] read, int count) throws IOException {
    InputStream start = new ByteArrayInputStream(read, 0, count);
    return FilePart.parseFrom(new SequenceInputStream(start, rest));
  }
}
