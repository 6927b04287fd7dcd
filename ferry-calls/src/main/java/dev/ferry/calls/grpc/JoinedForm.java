package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.ferry.grpc.transport.JoinedMessages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Messages of a stream that came together, as {@link JoinedMessages} has them; only read. */
final class JoinedForm<T> implements Form<List<T>> {
  private final Form<T> form;

  JoinedForm(Form<T> form) {
    this.form = form;
  }

  @Override
  public void write(List<T> messages, MessageWriter out) {
    throw new UnsupportedOperationException("messages are sent one by one");
  }

  @Override
  public List<T> read(CodedInputStream in) throws IOException {
    return List.of(form.read(in));
  }

  @Override
  public List<T> read(byte[] bytes, int length) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(bytes, 0, length);
    List<T> messages = new ArrayList<>();
    int limit = in.pushLimit(firstLength(bytes, length));
    while (true) {
      messages.add(form.read(in));
      Fields.leaveMessage(in, limit);
      if (in.isAtEnd()) {
        return messages;
      }
      limit = in.pushLimit(nextLength(in));
    }
  }

  /** A field cannot begin with a 0. */
  private static int firstLength(byte[] bytes, int length) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(bytes, 0, length);
    while (!in.isAtEnd() && bytes[in.getTotalBytesRead()] != 0) {
      Fields.skip(in, in.readTag());
    }
    return in.getTotalBytesRead();
  }

  private static int nextLength(CodedInputStream in) throws IOException {
    if (in.readRawByte() != 0) {
      throw new InvalidProtocolBufferException("a message is joined to something else");
    }
    return Integer.reverseBytes(in.readFixed32());
  }
}
