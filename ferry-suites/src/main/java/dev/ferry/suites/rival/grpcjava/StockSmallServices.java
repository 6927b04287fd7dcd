package dev.ferry.suites.rival.grpcjava;

import dev.ferry.calls.Backend;
import dev.ferry.contract.Errors;
import dev.ferry.contract.v1.CallReply;
import dev.ferry.contract.v1.CallRequest;
import dev.ferry.contract.v1.CallsGrpc;
import dev.ferry.contract.v1.Item;
import dev.ferry.contract.v1.LogReceipt;
import dev.ferry.contract.v1.LogRecord;
import dev.ferry.contract.v1.LogsGrpc;
import dev.ferry.contract.v1.PageRequest;
import dev.ferry.contract.v1.User;
import dev.ferry.contract.v1.UserPage;
import dev.ferry.contract.v1.UsersGrpc;
import dev.ferry.core.FerryException;
import io.grpc.BindableService;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** Items, log records and users as most write their services: generated messages and builders. */
final class StockSmallServices {
  private StockSmallServices() {}

  static List<BindableService> of(Backend backend) {
    return List.of(new Calls(backend), new Logs(backend), new Users(backend));
  }

  /** Makes the response to a request. */
  @FunctionalInterface
  interface Handler<T> {
    T handle() throws FerryException;
  }

  /** Responds to a call, or fails it with the exception of the handler. */
  static <T> void respond(String name, StreamObserver<T> responses, Handler<T> handler) {
    T response;
    try {
      response = handler.handle();
    } catch (FerryException e) {
      responses.onError(Errors.toStatus(e, name));
      return;
    }
    responses.onNext(response);
    responses.onCompleted();
  }

  private static final class Calls extends CallsGrpc.CallsImplBase {
    private final Backend backend;

    Calls(Backend backend) {
      this.backend = backend;
    }

    @Override
    public void get(CallRequest request, StreamObserver<CallReply> responses) {
      respond(
          "items",
          responses,
          () -> {
            CallReply.Builder reply = CallReply.newBuilder();
            for (dev.ferry.calls.Item item : backend.items(request.getCount())) {
              reply.addItems(
                  Item.newBuilder().setId(item.id()).setName(item.name()).setPrice(item.price()));
            }
            return reply.build();
          });
    }
  }

  private static final class Logs extends LogsGrpc.LogsImplBase {
    private final Backend backend;

    Logs(Backend backend) {
      this.backend = backend;
    }

    @Override
    public void write(LogRecord request, StreamObserver<LogReceipt> responses) {
      respond(
          "log",
          responses,
          () -> {
            long number = backend.log(LogMessages.of(request));
            return LogReceipt.newBuilder().setNumber(number).build();
          });
    }

    @Override
    public void read(LogReceipt request, StreamObserver<LogRecord> responses) {
      respond("log", responses, () -> LogMessages.of(backend.logRecord(request.getNumber())));
    }
  }

  private static final class Users extends UsersGrpc.UsersImplBase {
    private final Backend backend;

    Users(Backend backend) {
      this.backend = backend;
    }

    @Override
    public void page(PageRequest request, StreamObserver<UserPage> responses) {
      respond(
          "users",
          responses,
          () -> {
            UserPage.Builder page = UserPage.newBuilder();
            for (dev.ferry.calls.User user : backend.users(request.getPage(), request.getSize())) {
              page.addUsers(
                  User.newBuilder()
                      .setUserName(user.userName())
                      .setEmail(user.email())
                      .setAge(user.age())
                      .setAddress(user.address())
                      .setCreatedMillis(user.createdMillis()));
            }
            return page.build();
          });
    }
  }
}
