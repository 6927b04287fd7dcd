package dev.ferry.suites.rival.grpcjava;

import dev.ferry.calls.Backend;
import dev.ferry.calls.grpc.RowMethods;
import dev.ferry.contract.Errors;
import dev.ferry.contract.v1.Row;
import dev.ferry.contract.v1.RowList;
import dev.ferry.contract.v1.RowRequest;
import dev.ferry.contract.v1.RowsGrpc;
import dev.ferry.contract.v1.RowsRequest;
import dev.ferry.core.FerryException;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import java.util.List;

/**
 * Rows as most write them: generated messages and builders, a stream that is written as fast as the
 * transport takes it. {@code Array} builds its message from an array, {@code Enumerable} makes each
 * row while its message is written.
 */
final class StockRowsService extends RowsGrpc.RowsImplBase {
  private final Backend backend;

  StockRowsService(Backend backend) {
    this.backend = backend;
  }

  /** The service, with a lazily made message for {@code Enumerable}. */
  ServerServiceDefinition bind() {
    ServerServiceDefinition generated = bindService();
    ServiceDescriptor descriptor = generated.getServiceDescriptor();
    ServiceDescriptor.Builder methods =
        ServiceDescriptor.newBuilder(descriptor.getName())
            .setSchemaDescriptor(descriptor.getSchemaDescriptor());
    String enumerable = RowMethods.ENUMERABLE.getFullMethodName();
    for (MethodDescriptor<?, ?> method : descriptor.getMethods()) {
      methods.addMethod(
          method.getFullMethodName().equals(enumerable) ? RowMethods.ENUMERABLE : method);
    }
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(methods.build());
    generated.getMethods().stream()
        .filter(m -> !m.getMethodDescriptor().getFullMethodName().equals(enumerable))
        .forEach(service::addMethod);
    return service.addMethod(RowMethods.ENUMERABLE, enumerable()).build();
  }

  private ServerCallHandler<Long, List<dev.ferry.calls.Row>> enumerable() {
    return ServerCalls.asyncUnaryCall(
        (Long count, StreamObserver<List<dev.ferry.calls.Row>> responses) ->
            StockSmallServices.respond("rows", responses, () -> backend.rows(count)));
  }

  private static Row message(dev.ferry.calls.Row row) {
    return Row.newBuilder().setNumber(row.number()).setName(row.name()).build();
  }

  @Override
  public void single(RowRequest request, StreamObserver<Row> responses) {
    StockSmallServices.respond("row", responses, () -> message(backend.row(request.getIndex())));
  }

  @Override
  public void list(RowsRequest request, StreamObserver<RowList> responses) {
    StockSmallServices.respond(
        "rows",
        responses,
        () -> {
          RowList.Builder list = RowList.newBuilder();
          for (dev.ferry.calls.Row row : backend.rows(request.getCount())) {
            list.addRows(message(row));
          }
          return list.build();
        });
  }

  @Override
  public void array(RowsRequest request, StreamObserver<RowList> responses) {
    StockSmallServices.respond(
        "rows",
        responses,
        () -> {
          List<dev.ferry.calls.Row> rows = backend.rows(request.getCount());
          Row[] array = new Row[rows.size()];
          for (int i = 0; i < array.length; i++) {
            array[i] = message(rows.get(i));
          }
          return RowList.newBuilder().addAllRows(Arrays.asList(array)).build();
        });
  }

  @Override
  public void stream(RowsRequest request, StreamObserver<Row> responses) {
    try {
      long count = backend.requireRows(request.getCount());
      new Sender(count, (ServerCallStreamObserver<Row>) responses).start();
    } catch (FerryException e) {
      responses.onError(Errors.toStatus(e, "rows"));
    }
  }

  /** Writes whenever the transport is ready, as the documentation of manual flow control has it. */
  private final class Sender {
    private final long count;
    private final ServerCallStreamObserver<Row> responses;
    private long position;
    private boolean ended;

    Sender(long count, ServerCallStreamObserver<Row> responses) {
      this.count = count;
      this.responses = responses;
    }

    void start() {
      responses.setOnCancelHandler(() -> {});
      responses.setOnReadyHandler(this::send);
    }

    private void send() {
      while (!ended && responses.isReady()) {
        if (position < count) {
          responses.onNext(message(backend.rows().at(position++)));
        } else {
          ended = true;
          responses.onCompleted();
        }
      }
    }
  }
}
