package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A message that is a list of messages in field 1. What is written may be a list that makes its
 * elements when it is asked for them: it is asked for each twice, for its size and to write it.
 */
final class ListForm<T> implements Form<List<T>> {
  private static final int ELEMENTS = 1;

  private final Form<T> element;

  ListForm(Form<T> element) {
    this.element = element;
  }

  @Override
  public int size(List<T> list) {
    int size = 0;
    for (T value : list) {
      size += Fields.messageSize(ELEMENTS, element.size(value));
    }
    return size;
  }

  @Override
  public void write(List<T> list, CodedOutputStream out) throws IOException {
    for (T value : list) {
      Fields.beginMessage(out, ELEMENTS, element.size(value));
      element.write(value, out);
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
