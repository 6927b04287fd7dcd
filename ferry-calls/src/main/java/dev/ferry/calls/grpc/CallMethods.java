package dev.ferry.calls.grpc;

import dev.ferry.calls.Item;
import dev.ferry.calls.User;
import dev.ferry.contract.v1.CallsGrpc;
import dev.ferry.contract.v1.LogsGrpc;
import dev.ferry.contract.v1.UsersGrpc;
import io.grpc.MethodDescriptor;
import java.util.List;

/** The methods of small calls with messages of our own, but for those of rows. */
final class CallMethods {
  private static final Form<Long> NUMBER = new NumberForm();
  static final MethodDescriptor<Long, List<Item>> ITEMS =
      of(CallsGrpc.getGetMethod(), NUMBER, new ListForm<>(new ItemForm()));
  static final MethodDescriptor<LogForm.Message, Long> LOG =
      of(LogsGrpc.getWriteMethod(), new LogForm(), NUMBER);
  static final MethodDescriptor<Long, LogForm.Message> LOG_RECORD =
      of(LogsGrpc.getReadMethod(), NUMBER, new LogForm());
  static final MethodDescriptor<PageForm.Message, List<User>> PAGE =
      of(UsersGrpc.getPageMethod(), new PageForm(), new ListForm<>(new UserForm()));
  static final MethodDescriptor<PageForm.Message, User> USERS =
      of(UsersGrpc.getStreamMethod(), new PageForm(), new UserForm());

  private CallMethods() {}

  static <A, B, I, O> MethodDescriptor<I, O> of(
      MethodDescriptor<A, B> generated, Form<I> request, Form<O> response) {
    return generated.toBuilder(new FormMarshaller<>(request), new FormMarshaller<>(response))
        .build();
  }
}
