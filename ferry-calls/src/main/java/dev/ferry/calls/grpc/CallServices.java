package dev.ferry.calls.grpc;

import dev.ferry.calls.Backend;
import dev.ferry.calls.ConcurrencyLimiter;
import dev.ferry.calls.Row;
import dev.ferry.calls.Rows;
import dev.ferry.contract.v1.CallsGrpc;
import dev.ferry.contract.v1.LogsGrpc;
import dev.ferry.contract.v1.RowsGrpc;
import dev.ferry.contract.v1.UsersGrpc;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.internal.message.HandOffAllocator;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The services of small calls over a backend, with hand-written protobuf adapters. Thread-safe. */
final class CallServices {
  /** Rows per message of a stream of lists: about 16 KiB, one HTTP/2 frame. */
  private static final int BATCH_ROWS = 800;

  /** Rows per write of a stream of rows: about 16 KiB. */
  private static final int SPAN_ROWS = 700;

  private final Backend backend;
  private final ConcurrencyLimiter limiter;
  private final MethodDescriptor<Long, RowBatch> stream;
  private final int spanRows;

  /**
   * Creates the services.
   *
   * @param room limits pending long responses
   * @param allocator the allocator of the server's channels
   * @param batching whether several messages may be written as one, which interceptors and tracers
   *     do not see
   */
  CallServices(
      Backend backend, ConcurrencyLimiter limiter, HandOffAllocator allocator, boolean batching) {
    this.backend = backend;
    this.limiter = limiter;
    this.stream = RowMethods.spans(allocator);
    this.spanRows = batching ? SPAN_ROWS : 1;
  }

  List<ServerServiceDefinition> definitions() {
    return List.of(rows(), calls(), logs(), users());
  }

  private ServerServiceDefinition rows() {
    return new CallService(RowsGrpc.getServiceDescriptor(), limiter)
            .unary(RowMethods.SINGLE, "row", backend::row)
            .unary(RowMethods.LIST, "rows", backend::rows)
            .unary(RowMethods.ARRAY, "rows", this::kept)
            .unary(RowMethods.ENUMERABLE, "rows", backend::rows)
            .stream(stream, "rows", this::spans)
            .stream(RowMethods.BATCHES, "rows", this::batches)
            .build();
  }

  private ServerServiceDefinition calls() {
    return new CallService(CallsGrpc.getServiceDescriptor(), limiter)
        .unary(CallMethods.ITEMS, "items", backend::items)
        .build();
  }

  private ServerServiceDefinition logs() {
    return new CallService(LogsGrpc.getServiceDescriptor(), limiter)
        .unary(CallMethods.LOG, "log", m -> backend.log(m.record()))
        .unary(CallMethods.LOG_RECORD, "log", n -> LogAdapter.Message.of(backend.logRecord(n)))
        .build();
  }

  private ServerServiceDefinition users() {
    return new CallService(UsersGrpc.getServiceDescriptor(), limiter)
        .unary(CallMethods.PAGE, "users", p -> backend.users(p.page(), p.size())).stream(
                CallMethods.USERS, "users", p -> backend.users(p.page(), p.size()).iterator())
            .build();
  }

  private List<Row> kept(long count) throws FerryException {
    return new ArrayList<>(backend.rows(count));
  }

  private Iterator<RowBatch> spans(long count) throws FerryException {
    Rows rows = backend.rows();
    return new RowBatches<>(
        backend.requireRows(count), spanRows, (first, n) -> new RowBatch(rows, first, n));
  }

  private Iterator<List<Row>> batches(long count) throws FerryException {
    return new RowBatches<>(backend.requireRows(count), BATCH_ROWS, this::batch);
  }

  private List<Row> batch(long first, int count) {
    List<Row> batch = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      batch.add(backend.rows().at(first + i));
    }
    return batch;
  }
}
