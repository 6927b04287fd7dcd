package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;

/** Adapter of {@code ferry.v1.PageRequest}. */
final class PageAdapter implements ProtoAdapter<PageAdapter.Message> {
  private static final int PAGE = 1;
  private static final int SIZE = 2;

  /** A request for a page. */
  record Message(long page, long size) {}

  @Override
  public void write(Message request, MessageWriter out) {
    out.write(PAGE, request.page());
    out.write(SIZE, request.size());
  }

  @Override
  public Message read(CodedInputStream in) throws IOException {
    long page = 0;
    long size = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Fields.varint(PAGE)) {
        page = in.readInt64();
      } else if (tag == Fields.varint(SIZE)) {
        size = in.readInt64();
      } else {
        Fields.skip(in, tag);
      }
    }
    return new Message(page, size);
  }
}
