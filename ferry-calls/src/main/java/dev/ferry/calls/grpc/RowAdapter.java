package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import dev.ferry.calls.Row;
import java.io.IOException;

/** Adapter of {@code ferry.v1.Row}. */
final class RowAdapter implements ProtoAdapter<Row> {
  private static final int NUMBER = 1;
  private static final int NAME = 2;

  @Override
  public void write(Row row, MessageWriter out) {
    out.write(NUMBER, row.number());
    out.write(NAME, row.name());
  }

  @Override
  public Row read(CodedInputStream in) throws IOException {
    long number = 0;
    String name = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Fields.varint(NUMBER)) {
        number = in.readInt64();
      } else if (tag == Fields.bytes(NAME)) {
        name = in.readStringRequireUtf8();
      } else {
        Fields.skip(in, tag);
      }
    }
    return new Row(number, name);
  }
}
