package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;

/**
 * Adapter of a message with one number in field 1: an index, a count, or the number of a log
 * record.
 */
final class NumberAdapter implements ProtoAdapter<Long> {
  private static final int NUMBER = 1;

  @Override
  public void write(Long value, MessageWriter out) {
    out.write(NUMBER, value);
  }

  @Override
  public Long read(CodedInputStream in) throws IOException {
    long value = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Fields.varint(NUMBER)) {
        value = in.readInt64();
      } else {
        Fields.skip(in, tag);
      }
    }
    return value;
  }
}
