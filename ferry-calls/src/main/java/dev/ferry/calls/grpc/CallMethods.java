package dev.ferry.calls.grpc;

import dev.ferry.calls.Item;
import dev.ferry.calls.User;
import dev.ferry.contract.v1.CallsGrpc;
import dev.ferry.contract.v1.LogsGrpc;
import dev.ferry.contract.v1.UsersGrpc;
import io.grpc.MethodDescriptor;
import java.util.List;

/** Method descriptors of small calls with hand-written message codecs, except for rows. */
final class CallMethods {
  private static final MessageCodec<Long> NUMBER = new NumberCodec();
  static final MethodDescriptor<Long, List<Item>> ITEMS =
      of(CallsGrpc.getGetMethod(), NUMBER, new ListCodec<>(new ItemCodec()));
  static final MethodDescriptor<LogCodec.Message, Long> LOG =
      of(LogsGrpc.getWriteMethod(), new LogCodec(), NUMBER);
  static final MethodDescriptor<Long, LogCodec.Message> LOG_RECORD =
      of(LogsGrpc.getReadMethod(), NUMBER, new LogCodec());
  static final MethodDescriptor<PageCodec.Message, List<User>> PAGE =
      of(UsersGrpc.getPageMethod(), new PageCodec(), new ListCodec<>(new UserCodec()));
  static final MethodDescriptor<PageCodec.Message, User> USERS =
      of(UsersGrpc.getStreamMethod(), new PageCodec(), new UserCodec());

  private CallMethods() {}

  static <A, B, I, O> MethodDescriptor<I, O> of(
      MethodDescriptor<A, B> generated, MessageCodec<I> request, MessageCodec<O> response) {
    return generated.toBuilder(new CodecMarshaller<>(request), new CodecMarshaller<>(response))
        .build();
  }
}
