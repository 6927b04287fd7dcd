package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.ferry.calls.Row;
import java.io.IOException;

/** {@code ferry.v1.Row}. */
final class RowForm implements Form<Row> {
  private static final int NUMBER = 1;
  private static final int NAME = 2;

  @Override
  public int size(Row row) {
    return Fields.size(NUMBER, row.number()) + Fields.size(NAME, row.name());
  }

  @Override
  public void write(Row row, CodedOutputStream out) throws IOException {
    Fields.write(out, NUMBER, row.number());
    Fields.write(out, NAME, row.name());
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
