package dev.ferry.suites.calls.service.grpc;

import dev.ferry.core.FerryException;
import dev.ferry.suites.calls.service.CallContract;
import dev.ferry.suites.calls.v1.RowList;
import dev.ferry.suites.calls.v1.RowsGrpc;
import dev.ferry.suites.calls.v1.RowsRequest;
import dev.ferry.suites.rival.CallFailures;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A channel of its own that has a list of rows sent, and reads it when it is told to. */
final class SlowGrpcReader extends ClientCall.Listener<RowList> implements CallContract.SlowReader {
  private static final int SECONDS = 60;
  private static final int WINDOW = 64 * 1024;

  private final ManagedChannel channel;
  private final ClientCall<RowsRequest, RowList> call;
  private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
  private final CompletableFuture<Integer> outcome = new CompletableFuture<>();
  private volatile int got;

  SlowGrpcReader(int port, long rows) {
    this(port, rows, RowsGrpc.getListMethod());
  }

  SlowGrpcReader(int port, long rows, MethodDescriptor<RowsRequest, RowList> method) {
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .flowControlWindow(WINDOW)
            .build();
    call = channel.newCall(method, CallOptions.DEFAULT);
    call.start(this, new Metadata());
    call.sendMessage(RowsRequest.newBuilder().setCount(rows).build());
    call.halfClose();
  }

  @Override
  public void onHeaders(Metadata headers) {
    begun.complete(true);
  }

  @Override
  public void onMessage(RowList message) {
    got = message.getRowsCount();
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (status.isOk()) {
      outcome.complete(got);
    } else {
      FerryException failure = CallFailures.of(status.asRuntimeException(trailers), "server");
      begun.completeExceptionally(failure);
      outcome.completeExceptionally(failure);
    }
    channel.shutdown();
  }

  @Override
  public void awaitHead() throws Exception {
    await(begun);
  }

  @Override
  public int readOn() throws Exception {
    call.request(1);
    return await(outcome);
  }

  private static <T> T await(CompletableFuture<T> future) throws Exception {
    try {
      return future.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (FerryException) e.getCause();
    }
  }

  @Override
  public void cut() {
    call.cancel("cut", null);
    channel.shutdownNow();
  }
}
