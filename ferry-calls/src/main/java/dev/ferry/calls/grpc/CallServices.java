package dev.ferry.calls.grpc;

import dev.ferry.calls.Backend;
import dev.ferry.calls.Row;
import dev.ferry.calls.Rows;
import dev.ferry.contract.Errors;
import dev.ferry.contract.v1.CallsGrpc;
import dev.ferry.contract.v1.LogsGrpc;
import dev.ferry.contract.v1.RowsGrpc;
import dev.ferry.contract.v1.UsersGrpc;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.message.HandOffAllocator;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The services of small calls over a backend, with messages of our own. Thread-safe. */
final class CallServices {
  /** Rows of a message of a stream of lists: some 16 KiB, a frame of HTTP/2. */
  private static final int BATCH_ROWS = 800;

  /** Rows of a stream of rows that leave at once: another 16 KiB. */
  private static final int SPAN_ROWS = 700;

  private final Backend backend;
  private final MethodDescriptor<Long, RowSpan> stream;
  private final int spanRows;

  /**
   * Creates the services, for channels of an allocator.
   *
   * @param batching whether several messages may leave as one, unseen by interceptors and tracers
   */
  CallServices(Backend backend, HandOffAllocator allocator, boolean batching) {
    this.backend = backend;
    this.stream = RowMethods.spans(allocator);
    this.spanRows = batching ? SPAN_ROWS : 1;
  }

  List<ServerServiceDefinition> definitions() {
    return List.of(rows(), calls(), logs(), users());
  }

  private ServerServiceDefinition rows() {
    return ServerServiceDefinition.builder(
            descriptor(
                RowsGrpc.getServiceDescriptor(),
                RowMethods.SINGLE,
                RowMethods.LIST,
                RowMethods.ARRAY,
                RowMethods.ENUMERABLE,
                stream,
                RowMethods.BATCHES))
        .addMethod(RowMethods.SINGLE, unary("row", backend::row))
        .addMethod(RowMethods.LIST, unary("rows", backend::rows))
        .addMethod(RowMethods.ARRAY, unary("rows", this::kept))
        .addMethod(RowMethods.ENUMERABLE, unary("rows", backend::rows))
        .addMethod(stream, streaming("rows", this::spans))
        .addMethod(RowMethods.BATCHES, streaming("rows", this::batches))
        .build();
  }

  private ServerServiceDefinition calls() {
    return ServerServiceDefinition.builder(
            descriptor(CallsGrpc.getServiceDescriptor(), CallMethods.ITEMS))
        .addMethod(CallMethods.ITEMS, unary("items", backend::items))
        .build();
  }

  private ServerServiceDefinition logs() {
    return ServerServiceDefinition.builder(
            descriptor(LogsGrpc.getServiceDescriptor(), CallMethods.LOG, CallMethods.LOG_RECORD))
        .addMethod(CallMethods.LOG, unary("log", m -> backend.log(m.record())))
        .addMethod(
            CallMethods.LOG_RECORD,
            unary("log", number -> LogForm.Message.of(backend.logRecord(number))))
        .build();
  }

  private ServerServiceDefinition users() {
    return ServerServiceDefinition.builder(
            descriptor(UsersGrpc.getServiceDescriptor(), CallMethods.PAGE, CallMethods.USERS))
        .addMethod(CallMethods.PAGE, unary("users", p -> backend.users(p.page(), p.size())))
        .addMethod(
            CallMethods.USERS,
            streaming("users", p -> backend.users(p.page(), p.size()).iterator()))
        .build();
  }

  /** The generated service with our methods; it keeps the schema, for reflection. */
  private static ServiceDescriptor descriptor(
      ServiceDescriptor generated, MethodDescriptor<?, ?>... methods) {
    ServiceDescriptor.Builder builder =
        ServiceDescriptor.newBuilder(generated.getName())
            .setSchemaDescriptor(generated.getSchemaDescriptor());
    for (MethodDescriptor<?, ?> method : methods) {
      builder.addMethod(method);
    }
    return builder.build();
  }

  private List<Row> kept(long count) throws FerryException {
    return new ArrayList<>(backend.rows(count));
  }

  private Iterator<RowSpan> spans(long count) throws FerryException {
    Rows rows = backend.rows();
    return new Spans<>(
        backend.requireRows(count), spanRows, (first, n) -> new RowSpan(rows, first, n));
  }

  private Iterator<List<Row>> batches(long count) throws FerryException {
    return new Spans<>(backend.requireRows(count), BATCH_ROWS, this::batch);
  }

  private List<Row> batch(long first, int count) {
    List<Row> batch = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      batch.add(backend.rows().at(first + i));
    }
    return batch;
  }

  /** What answers a request. */
  @FunctionalInterface
  private interface Answer<I, O> {
    O of(I request) throws FerryException;
  }

  private static <I, O> ServerCallHandler<I, O> unary(String name, Answer<I, O> answer) {
    return ServerCalls.asyncUnaryCall(
        (I request, StreamObserver<O> responses) -> {
          O response;
          try {
            response = answer.of(request);
          } catch (FerryException e) {
            responses.onError(Errors.toStatus(e, name));
            return;
          }
          responses.onNext(response);
          responses.onCompleted();
        });
  }

  private static <I, O> ServerCallHandler<I, O> streaming(
      String name, Answer<I, Iterator<O>> answer) {
    return ServerCalls.asyncServerStreamingCall(
        (I request, StreamObserver<O> responses) -> {
          try {
            IteratorSender.start(answer.of(request), (ServerCallStreamObserver<O>) responses);
          } catch (FerryException e) {
            responses.onError(Errors.toStatus(e, name));
          }
        });
  }
}
