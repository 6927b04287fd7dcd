package dev.ferry.suites.calls.service.grpc;

import dev.ferry.core.FerryException;
import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.suites.calls.service.CallClient;
import dev.ferry.suites.calls.service.DataRow;
import dev.ferry.suites.calls.service.Item;
import dev.ferry.suites.calls.service.LogRecord;
import dev.ferry.suites.calls.service.User;
import dev.ferry.suites.calls.v1.CallRequest;
import dev.ferry.suites.calls.v1.CallsGrpc;
import dev.ferry.suites.calls.v1.LogReceipt;
import dev.ferry.suites.calls.v1.LogsGrpc;
import dev.ferry.suites.calls.v1.PageRequest;
import dev.ferry.suites.calls.v1.RowList;
import dev.ferry.suites.calls.v1.RowRequest;
import dev.ferry.suites.calls.v1.RowsGrpc;
import dev.ferry.suites.calls.v1.RowsRequest;
import dev.ferry.suites.calls.v1.UsersGrpc;
import dev.ferry.suites.rival.CallFailures;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** The contract's client, on generated code. It closes its channel. */
final class GrpcCallClient implements CallClient {
  private final ManagedChannel channel;
  private final RowsGrpc.RowsBlockingStub rows;
  private final CallsGrpc.CallsBlockingStub calls;
  private final LogsGrpc.LogsBlockingStub logs;
  private final UsersGrpc.UsersBlockingStub users;

  GrpcCallClient(ManagedChannel channel) {
    this.channel = channel;
    this.rows = RowsGrpc.newBlockingStub(channel);
    this.calls = CallsGrpc.newBlockingStub(channel);
    this.logs = LogsGrpc.newBlockingStub(channel);
    this.users = UsersGrpc.newBlockingStub(channel);
  }

  private static DataRow row(dev.ferry.suites.calls.v1.Row row) {
    return new DataRow(row.getNumber(), row.getName());
  }

  private static RowsRequest count(long count) {
    return RowsRequest.newBuilder().setCount(count).build();
  }

  private static <T> T call(Supplier<T> call) throws FerryException {
    try {
      return call.get();
    } catch (StatusRuntimeException e) {
      throw CallFailures.of(e, "server");
    }
  }

  /** The row of an index. */
  DataRow row(long index) throws FerryException {
    return row(call(() -> rows.single(RowRequest.newBuilder().setIndex(index).build())));
  }

  @Override
  public List<DataRow> rows(long count) throws FerryException {
    return rows(call(() -> rows.list(count(count))));
  }

  /** As {@link #rows}, made while they are written. */
  List<DataRow> enumerable(long count) throws FerryException {
    return rows(call(() -> rows.enumerable(count(count))));
  }

  private static List<DataRow> rows(RowList list) {
    return list.getRowsList().stream().map(GrpcCallClient::row).toList();
  }

  @Override
  public void eachRow(long count, RowVisitor visitor) throws FerryException {
    each(() -> rows.batches(count(count)).forEachRemaining(list -> visit(list, visitor)));
  }

  private static void visit(RowList list, RowVisitor visitor) {
    list.getRowsList().forEach(row -> visitor.row(row.getNumber(), row.getName()));
  }

  /** As {@link #eachRow}, with a message per row. */
  void eachRowAlone(long count, RowVisitor visitor) throws FerryException {
    each(
        () ->
            rows.stream(count(count))
                .forEachRemaining(row -> visitor.row(row.getNumber(), row.getName())));
  }

  private static void each(Runnable receiving) throws FerryException {
    // Ends the call if the visitor throws.
    try (Context.CancellableContext context = Context.current().withCancellation()) {
      Boolean unused =
          call(
              () -> {
                context.run(receiving);
                return true;
              });
    }
  }

  @Override
  public List<Item> items(long count) throws FerryException {
    return call(() -> calls.get(CallRequest.newBuilder().setCount(count).build()))
        .getItemsList()
        .stream()
        .map(i -> new Item(i.getId(), i.getName(), i.getPrice()))
        .toList();
  }

  @Override
  public List<User> users(long page, long size) throws FerryException {
    return call(() -> users.page(PageRequest.newBuilder().setPage(page).setSize(size).build()))
        .getUsersList()
        .stream()
        .map(
            u ->
                new User(
                    u.getUserName(),
                    u.getEmail(),
                    u.getAge(),
                    u.getAddress(),
                    u.getCreatedMillis()))
        .toList();
  }

  @Override
  public long log(LogRecord record) throws FerryException {
    return call(() -> logs.write(CallMessages.of(record))).getNumber();
  }

  @Override
  public CompletableFuture<Long> logAsync(LogRecord record) {
    Response<LogReceipt, Long> response = new Response<>(LogReceipt::getNumber);
    LogsGrpc.newStub(channel).write(CallMessages.of(record), response);
    return response.future;
  }

  @Override
  public LogRecord logRecord(long number) throws FerryException {
    return CallMessages.of(call(() -> logs.read(CallMessages.receipt(number))));
  }

  @Override
  public void close() {
    Shutdown.now(channel);
  }

  private static final class Response<M, T> implements StreamObserver<M> {
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final Function<M, T> conversion;

    Response(Function<M, T> conversion) {
      this.conversion = conversion;
    }

    @Override
    public void onNext(M message) {
      future.complete(conversion.apply(message));
    }

    @Override
    public void onError(Throwable failure) {
      future.completeExceptionally(CallFailures.of(failure, "server"));
    }

    @Override
    public void onCompleted() {}
  }
}
