package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/** Protobuf field tags and nested messages. */
final class Fields {
  private Fields() {}

  /** The tag of a varint field. */
  static int varint(int number) {
    return number << 3 | WireFormat.WIRETYPE_VARINT;
  }

  /** The tag of a double field. */
  static int fixed64(int number) {
    return number << 3 | WireFormat.WIRETYPE_FIXED64;
  }

  /** The tag of a string or message field. */
  static int bytes(int number) {
    return number << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  /**
   * Skips an unknown field.
   *
   * @throws InvalidProtocolBufferException if the tag ends a group that has not begun
   */
  static void skip(CodedInputStream in, int tag) throws IOException {
    if (!in.skipField(tag)) {
      throw new InvalidProtocolBufferException(
          "the group " + WireFormat.getTagFieldNumber(tag) + " ends, and has not begun");
    }
  }

  /** Reads the length of a nested message and limits further reads to it. */
  static int enterMessage(CodedInputStream in) throws IOException {
    return in.pushLimit(in.readRawVarint32());
  }

  /** Leaves a nested message, which must have been read to its end. */
  static void leaveMessage(CodedInputStream in, int limit) throws IOException {
    in.checkLastTagWas(0);
    in.popLimit(limit);
  }
}
