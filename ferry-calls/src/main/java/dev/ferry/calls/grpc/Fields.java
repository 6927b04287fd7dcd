package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/** Tags of fields, and the ends of messages within a message. */
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
