package dev.ferry.suites.calls.service.grpc;

import dev.ferry.core.FerryException;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.v1.Row;
import dev.ferry.suites.calls.v1.RowList;
import dev.ferry.suites.calls.v1.RowRequest;
import dev.ferry.suites.calls.v1.RowsGrpc;
import dev.ferry.suites.calls.v1.RowsRequest;
import dev.ferry.suites.rival.CallFailures;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import java.util.List;

/** Rows in every shape of replies, as generated messages. */
final class RowsService extends RowsGrpc.RowsImplBase {
  /** Rows per message of a stream of lists: about 16 KiB, one HTTP/2 frame. */
  private static final int BATCH_ROWS = 800;

  /** Maximum bytes of a row in a list: a number of 28 bits and a name of ten characters. */
  private static final int MOST_ROW_BYTES = 19;

  private final Backend backend;
  private final Replies replies;

  RowsService(Backend backend, Replies replies) {
    this.backend = backend;
    this.replies = replies;
  }

  /** Returns the service, in which {@code Enumerable} has no message. */
  ServerServiceDefinition bind() {
    ServerServiceDefinition generated = bindService();
    ServiceDescriptor descriptor = generated.getServiceDescriptor();
    String enumerable = EnumeratedRows.METHOD.getFullMethodName();
    ServiceDescriptor.Builder methods =
        ServiceDescriptor.newBuilder(descriptor.getName())
            .setSchemaDescriptor(descriptor.getSchemaDescriptor());
    for (MethodDescriptor<?, ?> method : descriptor.getMethods()) {
      methods.addMethod(
          method.getFullMethodName().equals(enumerable) ? EnumeratedRows.METHOD : method);
    }
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(methods.build());
    generated.getMethods().stream()
        .filter(m -> !m.getMethodDescriptor().getFullMethodName().equals(enumerable))
        .forEach(service::addMethod);
    return service
        .addMethod(EnumeratedRows.METHOD, ServerCalls.asyncUnaryCall(this::enumerated))
        .build();
  }

  private void enumerated(
      RowsRequest request,
      StreamObserver<Iterable<dev.ferry.suites.calls.service.DataRow>> responses) {
    List<dev.ferry.suites.calls.service.DataRow> rows;
    try {
      rows = backend.rows(request.getCount());
      replies.reserve((long) MOST_ROW_BYTES * rows.size(), responses);
    } catch (FerryException e) {
      responses.onError(CallFailures.toStatus(e));
      return;
    }
    responses.onNext(rows);
    responses.onCompleted();
  }

  @Override
  public void single(RowRequest request, StreamObserver<Row> responses) {
    replies.unary(responses, () -> CallMessages.of(backend.row(request.getIndex())));
  }

  @Override
  public void list(RowsRequest request, StreamObserver<RowList> responses) {
    replies.unary(
        responses,
        () -> {
          RowList.Builder list = RowList.newBuilder();
          for (dev.ferry.suites.calls.service.DataRow row : backend.rows(request.getCount())) {
            list.addRows(CallMessages.of(row));
          }
          return list.build();
        });
  }

  @Override
  public void array(RowsRequest request, StreamObserver<RowList> responses) {
    replies.unary(
        responses,
        () -> {
          List<dev.ferry.suites.calls.service.DataRow> rows = backend.rows(request.getCount());
          Row[] array = new Row[rows.size()];
          for (int i = 0; i < array.length; i++) {
            array[i] = CallMessages.of(rows.get(i));
          }
          return RowList.newBuilder().addAllRows(Arrays.asList(array)).build();
        });
  }

  @Override
  public void stream(RowsRequest request, StreamObserver<Row> responses) {
    replies.stream(responses, () -> backend.requireRows(request.getCount()), this::row);
  }

  @Override
  public void batches(RowsRequest request, StreamObserver<RowList> responses) {
    replies.stream(
        responses,
        () -> (backend.requireRows(request.getCount()) + BATCH_ROWS - 1) / BATCH_ROWS,
        batch -> {
          long first = batch * BATCH_ROWS;
          RowList.Builder list = RowList.newBuilder();
          for (long i = first; i < Math.min(first + BATCH_ROWS, request.getCount()); i++) {
            list.addRows(row(i));
          }
          return list.build();
        });
  }

  private Row row(long index) {
    return CallMessages.of(backend.rows().at(index));
  }
}
