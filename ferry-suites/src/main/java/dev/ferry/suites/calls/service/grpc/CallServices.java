package dev.ferry.suites.calls.service.grpc;

import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.ConcurrencyLimiter;
import dev.ferry.suites.calls.v1.CallReply;
import dev.ferry.suites.calls.v1.CallRequest;
import dev.ferry.suites.calls.v1.CallsGrpc;
import dev.ferry.suites.calls.v1.LogReceipt;
import dev.ferry.suites.calls.v1.LogRecord;
import dev.ferry.suites.calls.v1.LogsGrpc;
import dev.ferry.suites.calls.v1.PageRequest;
import dev.ferry.suites.calls.v1.UserPage;
import dev.ferry.suites.calls.v1.UsersGrpc;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.StreamObserver;
import java.util.List;

/**
 * The services of small calls over a backend, as most write them: generated messages and builders.
 * All servers have these, whatever their settings are. Thread-safe.
 */
public record CallServices(Backend backend, Replies replies) {
  /**
   * Creates the services.
   *
   * @param limiter limits the bytes of pending long replies
   */
  public static List<ServerServiceDefinition> of(Backend backend, ConcurrencyLimiter limiter) {
    Replies replies = new Replies(limiter);
    CallServices services = new CallServices(backend, replies);
    return List.of(
        new RowsService(backend, replies).bind(),
        services.new Calls().bindService(),
        services.new Logs().bindService(),
        services.new Users().bindService());
  }

  private final class Calls extends CallsGrpc.CallsImplBase {
    @Override
    public void get(CallRequest request, StreamObserver<CallReply> responses) {
      replies.unary(
          responses,
          () -> {
            CallReply.Builder reply = CallReply.newBuilder();
            backend.items(request.getCount()).forEach(i -> reply.addItems(CallMessages.of(i)));
            return reply.build();
          });
    }
  }

  private final class Logs extends LogsGrpc.LogsImplBase {
    @Override
    public void write(LogRecord request, StreamObserver<LogReceipt> responses) {
      replies.unary(responses, () -> CallMessages.receipt(backend.log(CallMessages.of(request))));
    }

    @Override
    public void read(LogReceipt request, StreamObserver<LogRecord> responses) {
      replies.unary(responses, () -> CallMessages.of(backend.logRecord(request.getNumber())));
    }
  }

  private final class Users extends UsersGrpc.UsersImplBase {
    @Override
    public void page(PageRequest request, StreamObserver<UserPage> responses) {
      replies.unary(
          responses,
          () -> {
            UserPage.Builder page = UserPage.newBuilder();
            backend
                .users(request.getPage(), request.getSize())
                .forEach(u -> page.addUsers(CallMessages.of(u)));
            return page.build();
          });
    }
  }
}
