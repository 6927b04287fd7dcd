package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.ferry.grpc.internal.transport.JoinedMessages;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Parses messages of a stream that {@link JoinedMessages} has joined. Thread-safe. */
final class JoinedMarshaller<T> implements MethodDescriptor.Marshaller<List<T>> {
  private final ProtoAdapter<T> adapter;

  JoinedMarshaller(ProtoAdapter<T> adapter) {
    this.adapter = adapter;
  }

  @Override
  public InputStream stream(List<T> messages) {
    throw new UnsupportedOperationException("messages are sent one by one");
  }

  @Override
  public List<T> parse(InputStream stream) {
    return ProtoMarshaller.parse(stream, this::read);
  }

  private List<T> read(byte[] bytes, int length) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(bytes, 0, length);
    List<T> messages = new ArrayList<>();
    int limit = in.pushLimit(firstLength(bytes, length));
    while (true) {
      messages.add(adapter.read(in));
      Fields.leaveMessage(in, limit);
      if (in.isAtEnd()) {
        return messages;
      }
      limit = in.pushLimit(nextLength(in));
    }
  }

  /** The first message ends before the first 0 in place of a tag, because no protobuf tag is 0. */
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
