package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import dev.ferry.calls.Item;
import java.io.IOException;

/** Adapter of {@code ferry.v1.Item}. */
final class ItemAdapter implements ProtoAdapter<Item> {
  private static final int ID = 1;
  private static final int NAME = 2;
  private static final int PRICE = 3;

  @Override
  public void write(Item item, MessageWriter out) {
    out.write(ID, item.id());
    out.write(NAME, item.name());
    out.write(PRICE, item.price());
  }

  @Override
  public Item read(CodedInputStream in) throws IOException {
    long id = 0;
    String name = "";
    double price = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Fields.varint(ID)) {
        id = in.readInt64();
      } else if (tag == Fields.bytes(NAME)) {
        name = in.readStringRequireUtf8();
      } else if (tag == Fields.fixed64(PRICE)) {
        price = in.readDouble();
      } else {
        Fields.skip(in, tag);
      }
    }
    return new Item(id, name, price);
  }
}
