package dev.ferry.calls.grpc;

import dev.ferry.calls.CallClient;
import dev.ferry.calls.Item;
import dev.ferry.calls.LogRecord;
import dev.ferry.calls.Row;
import dev.ferry.calls.User;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.internal.transport.CallerLoop;
import dev.ferry.grpc.internal.transport.JoinedMessages;
import dev.ferry.grpc.internal.transport.Transport;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client for small calls over grpc-java on Netty, with one connection that is opened by the first
 * call. A thread that waits for its response runs the connection's event loop meanwhile, if no
 * other call is running; otherwise a thread of the client runs it. Visitors and dependent stages
 * may therefore run on the thread of another caller, while it holds locks of its own. Rows are
 * streamed as lists, that is, in few and large messages. Thread-safe.
 */
public final class GrpcCallClient implements CallClient {
  private final String server;
  private final ManagedChannel channel;
  private final Waiting waiting;
  private final Runnable closeLoop;

  private GrpcCallClient(
      String server, ManagedChannel channel, Waiting waiting, Runnable closeLoop) {
    this.server = server;
    this.channel = channel;
    this.waiting = waiting;
    this.closeLoop = closeLoop;
  }

  /** Creates a client in plaintext, which connects lazily. */
  public static GrpcCallClient connect(String host, int port) {
    CallerLoop loop = new CallerLoop("ferry-calls-client");
    try {
      ManagedChannel channel =
          new Transport.Lean(1, PooledByteBufAllocator.DEFAULT).connect(host, port, loop).build();
      return new GrpcCallClient(host + ":" + port, channel, Waiting.turning(loop), loop::close);
    } catch (RuntimeException e) {
      loop.close();
      throw e;
    }
  }

  /**
   * Creates a client of a channel, for instance one that shares its threads. The client closes the
   * channel.
   *
   * @param server name of the server, for messages
   * @param channel closed with the client
   */
  public static GrpcCallClient of(String server, ManagedChannel channel) {
    return new GrpcCallClient(server, channel, Waiting.parked(), () -> {});
  }

  /**
   * Creates a client of a channel whose event loop callers run.
   *
   * @param server name of the server, for messages
   * @param channel closed with the client
   * @param loop event loop of the channel; not closed with the client
   */
  public static GrpcCallClient of(String server, ManagedChannel channel, CallerLoop loop) {
    return new GrpcCallClient(server, channel, Waiting.turning(loop), () -> {});
  }

  @Override
  public Row row(long index) throws FerryException {
    return call(RowMethods.SINGLE, index);
  }

  @Override
  public CompletableFuture<Row> rowAsync(long index) {
    return async(RowMethods.SINGLE, index);
  }

  @Override
  public List<Row> rows(long count) throws FerryException {
    return call(RowMethods.LIST, count);
  }

  @Override
  public void eachRow(long count, RowVisitor visitor) throws FerryException {
    eachRow(RowMethods.BATCHES, CallOptions.DEFAULT, count, visitor);
  }

  /** As {@link #eachRow}, with one message per row, for servers that do not stream lists. */
  public void eachRowAlone(long count, RowVisitor visitor) throws FerryException {
    eachRow(RowMethods.STREAM, JoinedMessages.enable(CallOptions.DEFAULT), count, visitor);
  }

  @Override
  public List<Item> items(long count) throws FerryException {
    return call(CallMethods.ITEMS, count);
  }

  @Override
  public List<User> users(long page, long size) throws FerryException {
    return call(CallMethods.PAGE, new PageAdapter.Message(page, size));
  }

  @Override
  public long log(LogRecord record) throws FerryException {
    return call(CallMethods.LOG, LogAdapter.Message.of(record));
  }

  @Override
  public CompletableFuture<Long> logAsync(LogRecord record) {
    return async(CallMethods.LOG, LogAdapter.Message.of(record));
  }

  @Override
  public LogRecord logRecord(long number) throws FerryException {
    return call(CallMethods.LOG_RECORD, number).record();
  }

  private <I, O> O call(MethodDescriptor<I, O> method, I request) throws FerryException {
    CallbackThread.requireOutside();
    return UnaryResponse.of(() -> newCall(method), request, waiting, server);
  }

  private void eachRow(
      MethodDescriptor<Long, List<Row>> method, CallOptions options, long count, RowVisitor visitor)
      throws FerryException {
    CallbackThread.requireOutside();
    RowStream.receive(
        () -> channel.newCall(method, options),
        count,
        row -> visitor.row(row.number(), row.name()),
        waiting,
        server);
  }

  private <I, O> CompletableFuture<O> async(MethodDescriptor<I, O> method, I request) {
    Runnable end = waiting.begin();
    UnaryFuture<O> response = new UnaryFuture<>(server, end);
    try {
      ClientCalls.asyncUnaryCall(newCall(method), request, response);
    } catch (Throwable e) {
      end.run();
      throw e;
    }
    return response.future();
  }

  private <I, O> ClientCall<I, O> newCall(MethodDescriptor<I, O> method) {
    return channel.newCall(method, CallOptions.DEFAULT);
  }

  @Override
  public void close() {
    try {
      waiting.close(channel);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    closeLoop.run();
  }
}
