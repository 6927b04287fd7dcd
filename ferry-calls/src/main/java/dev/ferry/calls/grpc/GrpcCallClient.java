package dev.ferry.calls.grpc;

import com.google.common.util.concurrent.ListenableFuture;
import dev.ferry.calls.CallClient;
import dev.ferry.calls.Item;
import dev.ferry.calls.LogRecord;
import dev.ferry.calls.Row;
import dev.ferry.calls.User;
import dev.ferry.contract.Errors;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.transport.EventLoops;
import dev.ferry.grpc.transport.Transport;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Small calls over grpc-java on Netty: one connection, opened with the first call, and one event
 * loop. Rows one after the other come as a stream of lists, which are few and large messages
 * however many rows there are. Thread-safe.
 */
public final class GrpcCallClient implements CallClient {
  private static final int CLOSE_SECONDS = 3;

  private final String server;
  private final ManagedChannel channel;
  private final Runnable closeLoops;

  private GrpcCallClient(String server, ManagedChannel channel, Runnable closeLoops) {
    this.server = server;
    this.channel = channel;
    this.closeLoops = closeLoops;
  }

  /** Connects, lazily, in plain text. */
  public static GrpcCallClient connect(String host, int port) {
    Transport transport = new Transport.Lean(1, PooledByteBufAllocator.DEFAULT);
    EventLoops loops = new EventLoops("ferry-calls-client", transport.threads());
    return new GrpcCallClient(
        host + ":" + port, transport.connect(host, port, loops).build(), loops::close);
  }

  /**
   * Takes over a channel, for instance one over TLS or on threads that it shares with others.
   *
   * @param server its name, for messages
   * @param channel closed with the client
   */
  public static GrpcCallClient of(String server, ManagedChannel channel) {
    return new GrpcCallClient(server, channel, () -> {});
  }

  @Override
  public Row row(long index) throws FerryException {
    return call(RowMethods.SINGLE, index);
  }

  @Override
  public CompletableFuture<Row> rowLater(long index) {
    return later(RowMethods.SINGLE, index);
  }

  @Override
  public List<Row> rows(long count) throws FerryException {
    return call(RowMethods.LIST, count);
  }

  @Override
  public void eachRow(long count, RowVisitor visitor) throws FerryException {
    RowStream.receive(
        channel,
        RowMethods.BATCHES,
        count,
        rows -> rows.forEach(row -> visitor.row(row.number(), row.name())),
        server);
  }

  /**
   * As {@link #eachRow}, with a message for each row: what a peer without lists in its stream
   * offers.
   */
  public void eachRowAlone(long count, RowVisitor visitor) throws FerryException {
    RowStream.receive(
        channel, RowMethods.STREAM, count, row -> visitor.row(row.number(), row.name()), server);
  }

  @Override
  public List<Item> items(long count) throws FerryException {
    return call(CallMethods.ITEMS, count);
  }

  @Override
  public List<User> users(long page, long size) throws FerryException {
    return call(CallMethods.PAGE, new PageForm.Message(page, size));
  }

  @Override
  public long log(LogRecord record) throws FerryException {
    return call(CallMethods.LOG, LogForm.Message.of(record));
  }

  @Override
  public CompletableFuture<Long> logLater(LogRecord record) {
    return later(CallMethods.LOG, LogForm.Message.of(record));
  }

  @Override
  public LogRecord logRecord(long number) throws FerryException {
    return call(CallMethods.LOG_RECORD, number).record();
  }

  private <I, O> O call(MethodDescriptor<I, O> method, I request) throws FerryException {
    Giving.requireOutside();
    ListenableFuture<O> answer = ClientCalls.futureUnaryCall(start(method), request);
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw Errors.fromStatus(e.getCause() == null ? e : e.getCause(), server);
    } catch (InterruptedException e) {
      boolean unused = answer.cancel(true);
      throw Interrupts.cancelled(e);
    }
  }

  private <I, O> CompletableFuture<O> later(MethodDescriptor<I, O> method, I request) {
    LaterAnswer<O> answer = new LaterAnswer<>(server);
    ClientCalls.asyncUnaryCall(start(method), request, answer);
    return answer.future();
  }

  private <I, O> ClientCall<I, O> start(MethodDescriptor<I, O> method) {
    return channel.newCall(method, CallOptions.DEFAULT);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    try {
      channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    closeLoops.run();
  }
}
