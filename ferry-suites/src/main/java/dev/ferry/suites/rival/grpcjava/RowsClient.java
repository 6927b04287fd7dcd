package dev.ferry.suites.rival.grpcjava;

import dev.ferry.core.FerryException;
import dev.ferry.suites.calls.service.CallClient.RowVisitor;
import dev.ferry.suites.calls.service.grpc.TunedChannel;
import dev.ferry.suites.calls.v1.Row;
import dev.ferry.suites.calls.v1.RowList;
import dev.ferry.suites.calls.v1.RowRequest;
import dev.ferry.suites.calls.v1.RowsGrpc;
import dev.ferry.suites.calls.v1.RowsRequest;
import dev.ferry.suites.rival.CallFailures;
import dev.ferry.suites.rival.GrpcEnd;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows as grpc-java's documentation requests them, by each of its stubs, on a channel with its
 * defaults or a tuned one. All received rows are passed to a visitor. Thread-safe.
 */
public final class RowsClient implements AutoCloseable {
  /** Calls under way at the same time in {@link #pipelined}. */
  private static final int CALLS_AHEAD = 64;

  private final Runnable closer;
  private final RowsGrpc.RowsBlockingStub blocking;
  private final RowsGrpc.RowsFutureStub future;
  private final RowsGrpc.RowsStub callback;

  private RowsClient(ManagedChannel channel, Runnable closer) {
    this.closer = closer;
    this.blocking = RowsGrpc.newBlockingStub(channel);
    this.future = RowsGrpc.newFutureStub(channel);
    this.callback = RowsGrpc.newStub(channel);
  }

  /** Connects, lazily, in plain text, with grpc-java's defaults. */
  public static RowsClient connect(String host, int port) {
    StockChannel connection = new StockChannel(host, port);
    return new RowsClient(connection.channel(), connection::close);
  }

  /** Connects, lazily, in plain text, with settings for small calls. */
  public static RowsClient connectTuned(String host, int port) {
    ManagedChannel channel =
        TunedChannel.tune(NettyChannelBuilder.forAddress(host, port)).usePlaintext().build();
    return new RowsClient(channel, () -> GrpcEnd.now(channel));
  }

  private static RowRequest row(long index) {
    return RowRequest.newBuilder().setIndex(index).build();
  }

  private static RowsRequest rows(long count) {
    return RowsRequest.newBuilder().setCount(count).build();
  }

  /** A call for each row, by the blocking stub. */
  public void single(long count, RowVisitor visitor) throws FerryException {
    for (long i = 0; i < count; i++) {
      long index = i;
      visit(blocking(() -> blocking.single(row(index))), visitor);
    }
  }

  /** A call for each row, by the future stub. */
  public void singleByFuture(long count, RowVisitor visitor) throws FerryException {
    for (long i = 0; i < count; i++) {
      visit(await(future.single(row(i))), visitor);
    }
  }

  /** A call for each row, by a callback. */
  public void singleByCallback(long count, RowVisitor visitor) throws FerryException {
    for (long i = 0; i < count; i++) {
      UnaryObserver<Row> response = new UnaryObserver<>();
      callback.single(row(i), response);
      visit(await(response.response()), visitor);
    }
  }

  /** A call for each row, by the future stub, with the next calls sent before a row has arrived. */
  public void pipelined(long count, RowVisitor visitor) throws FerryException {
    Deque<Future<Row>> waiting = new ArrayDeque<>(CALLS_AHEAD);
    for (long i = 0; i < count; i++) {
      if (waiting.size() == CALLS_AHEAD) {
        visit(await(waiting.remove()), visitor);
      }
      waiting.add(future.single(row(i)));
    }
    while (!waiting.isEmpty()) {
      visit(await(waiting.remove()), visitor);
    }
  }

  /** One message, by the blocking stub. */
  public void list(long count, RowVisitor visitor) throws FerryException {
    visit(blocking(() -> blocking.list(rows(count))), visitor);
  }

  /** One message, by the future stub. */
  public void listByFuture(long count, RowVisitor visitor) throws FerryException {
    visit(await(future.list(rows(count))), visitor);
  }

  /** One message, by a callback. */
  public void listByCallback(long count, RowVisitor visitor) throws FerryException {
    UnaryObserver<RowList> response = new UnaryObserver<>();
    callback.list(rows(count), response);
    visit(await(response.response()), visitor);
  }

  /** One message made from an array, by the future stub. */
  public void arrayByFuture(long count, RowVisitor visitor) throws FerryException {
    visit(await(future.array(rows(count))), visitor);
  }

  /** One message made from an array, by a callback. */
  public void arrayByCallback(long count, RowVisitor visitor) throws FerryException {
    UnaryObserver<RowList> response = new UnaryObserver<>();
    callback.array(rows(count), response);
    visit(await(response.response()), visitor);
  }

  /** One message that the server makes while it writes it, by the blocking stub. */
  public void enumerable(long count, RowVisitor visitor) throws FerryException {
    visit(blocking(() -> blocking.enumerable(rows(count))), visitor);
  }

  /** A message for each row, by the asynchronous stub, which requests one after the other. */
  public void stream(long count, RowVisitor visitor) throws FerryException {
    Each<Row> each = new Each<>(row -> visit(row, visitor));
    callback.stream(rows(count), each);
    Boolean unused = await(each.ended);
  }

  /** A message for each row, by the asynchronous stub, with many requested ahead. */
  public void streamAhead(long count, RowVisitor visitor) throws FerryException {
    Ahead<Row> ahead = new Ahead<>(row -> visit(row, visitor));
    callback.stream(rows(count), ahead);
    Boolean unused = await(ahead.ended);
  }

  /** A message for many rows, by the asynchronous stub, with many requested ahead. */
  public void batches(long count, RowVisitor visitor) throws FerryException {
    Ahead<RowList> ahead = new Ahead<>(list -> visit(list, visitor));
    callback.batches(rows(count), ahead);
    Boolean unused = await(ahead.ended);
  }

  /** A message for each row, by the blocking stub's iterator. */
  public void streamByIterator(long count, RowVisitor visitor) throws FerryException {
    Iterator<Row> iterator = blocking(() -> blocking.stream(rows(count)));
    try {
      while (iterator.hasNext()) {
        visit(iterator.next(), visitor);
      }
    } catch (StatusRuntimeException e) {
      throw CallFailures.of(e, "rows");
    }
  }

  private static void visit(Row row, RowVisitor visitor) {
    visitor.row(row.getNumber(), row.getName());
  }

  private static void visit(RowList list, RowVisitor visitor) {
    for (Row row : list.getRowsList()) {
      visit(row, visitor);
    }
  }

  private static <T> T blocking(Supplier<T> call) throws FerryException {
    try {
      return call.get();
    } catch (StatusRuntimeException e) {
      throw CallFailures.of(e, "rows");
    }
  }

  private static <T> T await(Future<T> response) throws FerryException {
    try {
      return response.get();
    } catch (ExecutionException e) {
      throw CallFailures.of(e.getCause() == null ? e : e.getCause(), "rows");
    } catch (InterruptedException e) {
      throw FerryException.interrupted("interrupted while waiting", e);
    }
  }

  /** Each message of a stream. */
  private static class Each<T> implements StreamObserver<T> {
    final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private final Consumer<T> taker;

    Each(Consumer<T> taker) {
      this.taker = taker;
    }

    @Override
    public void onNext(T message) {
      taker.accept(message);
    }

    @Override
    public void onError(Throwable failure) {
      ended.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      ended.complete(true);
    }
  }

  /** The same, which requests messages before they come, so that few requests are made. */
  private static final class Ahead<T> extends Each<T>
      implements ClientResponseObserver<RowsRequest, T> {
    /** Messages requested at a time; the HTTP/2 window limits what has arrived. */
    private static final int MESSAGES = 1024;

    private @Nullable ClientCallStreamObserver<RowsRequest> call;
    private int taken;

    Ahead(Consumer<T> taker) {
      super(taker);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<RowsRequest> starting) {
      call = starting;
      starting.disableAutoRequestWithInitial(MESSAGES);
    }

    @Override
    public void onNext(T message) {
      super.onNext(message);
      if (++taken == MESSAGES / 2) {
        Objects.requireNonNull(call).request(taken);
        taken = 0;
      }
    }
  }

  @Override
  public void close() {
    closer.run();
  }
}
