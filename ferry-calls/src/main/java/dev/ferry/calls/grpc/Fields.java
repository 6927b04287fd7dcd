package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/** Fields as proto3 has them: what has its default value is not written. */
final class Fields {
  private Fields() {}

  /** The tag of a field of varints. */
  static int varint(int number) {
    return number << 3 | WireFormat.WIRETYPE_VARINT;
  }

  /** The tag of a double. */
  static int fixed64(int number) {
    return number << 3 | WireFormat.WIRETYPE_FIXED64;
  }

  /** The tag of a string or a message. */
  static int bytes(int number) {
    return number << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  static int size(int number, long value) {
    return value == 0 ? 0 : CodedOutputStream.computeInt64Size(number, value);
  }

  static int size(int number, double value) {
    return Double.doubleToRawLongBits(value) == 0
        ? 0
        : CodedOutputStream.computeDoubleSize(number, value);
  }

  static int size(int number, String value) {
    return value.isEmpty() ? 0 : CodedOutputStream.computeStringSize(number, value);
  }

  /** Size of a field that is a message of a size. */
  static int messageSize(int number, int size) {
    return CodedOutputStream.computeTagSize(number)
        + CodedOutputStream.computeUInt32SizeNoTag(size)
        + size;
  }

  static void write(CodedOutputStream out, int number, long value) throws IOException {
    if (value != 0) {
      out.writeInt64(number, value);
    }
  }

  static void write(CodedOutputStream out, int number, double value) throws IOException {
    if (Double.doubleToRawLongBits(value) != 0) {
      out.writeDouble(number, value);
    }
  }

  static void write(CodedOutputStream out, int number, String value) throws IOException {
    if (!value.isEmpty()) {
      out.writeString(number, value);
    }
  }

  /** Begins a field that is a message; its fields follow. */
  static void beginMessage(CodedOutputStream out, int number, int size) throws IOException {
    out.writeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(size);
  }

  /**
   * Skips the field of a tag that means nothing here.
   *
   * @throws InvalidProtocolBufferException where it is the end of a group that has not begun
   */
  static void skip(CodedInputStream in, int tag) throws IOException {
    if (!in.skipField(tag)) {
      throw new InvalidProtocolBufferException(
          "the group " + WireFormat.getTagFieldNumber(tag) + " ends, and has not begun");
    }
  }

  /** Reads the length of a message; what is read next ends with it. */
  static int enterMessage(CodedInputStream in) throws IOException {
    return in.pushLimit(in.readRawVarint32());
  }

  /** Leaves a message, which must have been read to its end. */
  static void leaveMessage(CodedInputStream in, int limit) throws IOException {
    in.checkLastTagWas(0);
    in.popLimit(limit);
  }
}
