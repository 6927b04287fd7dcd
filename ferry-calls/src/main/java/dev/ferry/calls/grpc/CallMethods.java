package dev.ferry.calls.grpc;

import dev.ferry.calls.Item;
import dev.ferry.calls.User;
import dev.ferry.contract.v1.CallsGrpc;
import dev.ferry.contract.v1.LogsGrpc;
import dev.ferry.contract.v1.UsersGrpc;
import io.grpc.MethodDescriptor;
import java.util.List;

/** Method descriptors of small calls with hand-written protobuf adapters, except for rows. */
final class CallMethods {
  private static final ProtoAdapter<Long> NUMBER = new NumberAdapter();
  static final MethodDescriptor<Long, List<Item>> ITEMS =
      of(CallsGrpc.getGetMethod(), NUMBER, new ListAdapter<>(new ItemAdapter()));
  static final MethodDescriptor<LogAdapter.Message, Long> LOG =
      of(LogsGrpc.getWriteMethod(), new LogAdapter(), NUMBER);
  static final MethodDescriptor<Long, LogAdapter.Message> LOG_RECORD =
      of(LogsGrpc.getReadMethod(), NUMBER, new LogAdapter());
  static final MethodDescriptor<PageAdapter.Message, List<User>> PAGE =
      of(UsersGrpc.getPageMethod(), new PageAdapter(), new ListAdapter<>(new UserAdapter()));
  static final MethodDescriptor<PageAdapter.Message, User> USERS =
      of(UsersGrpc.getStreamMethod(), new PageAdapter(), new UserAdapter());

  private CallMethods() {}

  static <A, B, I, O> MethodDescriptor<I, O> of(
      MethodDescriptor<A, B> generated, ProtoAdapter<I> request, ProtoAdapter<O> response) {
    return generated.toBuilder(new ProtoMarshaller<>(request), new ProtoMarshaller<>(response))
        .build();
  }
}
