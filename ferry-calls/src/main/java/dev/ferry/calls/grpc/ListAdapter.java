package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Adapter of a message that is a list of messages in field 1. Writing accesses each element once,
 * so the list may create its elements on access.
 */
final class ListAdapter<T> implements ProtoAdapter<List<T>> {
  private static final int ELEMENTS = 1;

  private final ProtoAdapter<T> element;

  ListAdapter(ProtoAdapter<T> element) {
    this.element = element;
  }

  @Override
  public void write(List<T> list, MessageWriter out) {
    for (T value : list) {
      int start = out.begin(ELEMENTS);
      element.write(value, out);
      out.end(start);
    }
  }

  @Override
  public List<T> read(CodedInputStream in) throws IOException {
    List<T> list = new ArrayList<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Fields.bytes(ELEMENTS)) {
        int limit = Fields.enterMessage(in);
        list.add(element.read(in));
        Fields.leaveMessage(in, limit);
      } else {
        Fields.skip(in, tag);
      }
    }
    return list;
  }
}
