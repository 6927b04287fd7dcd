package dev.ferry.calls.grpc;

import dev.ferry.contract.Errors;
import dev.ferry.core.FerryException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives a stream on the calling thread's behalf: messages are given out on the call's executor,
 * in order, with {@value #AHEAD} asked for ahead, so that neither a slow taker is flooded nor a
 * fast one waits for permission.
 */
final class RowStream<T> extends ClientCall.Listener<T> {
  /**
   * Messages asked for at a time: a request for each alone would wake a thread for each. They are
   * taken as they come, so that what is not yet taken is bounded by the window of HTTP/2.
   */
  private static final int AHEAD = 1024;

  private final ClientCall<?, T> call;
  private final Consumer<T> taker;
  private final CountDownLatch over = new CountDownLatch(1);
  private int asked = AHEAD;
  private Status status = Status.UNKNOWN;
  private Metadata trailers = new Metadata();
  private volatile boolean givenUp;
  private @Nullable RuntimeException thrown;

  private RowStream(ClientCall<?, T> call, Consumer<T> taker) {
    this.call = call;
    this.taker = taker;
  }

  /**
   * Makes a call and waits for its end.
   *
   * @param taker what it throws ends the call and is thrown on
   */
  static <I, T> void receive(
      Channel channel, MethodDescriptor<I, T> method, I request, Consumer<T> taker, String server)
      throws FerryException {
    Giving.requireOutside();
    ClientCall<I, T> call = channel.newCall(method, CallOptions.DEFAULT);
    RowStream<T> stream = new RowStream<>(call, taker);
    call.start(stream, new Metadata());
    call.request(AHEAD);
    call.sendMessage(request);
    call.halfClose();
    stream.await(server);
  }

  private void await(String server) throws FerryException {
    try {
      over.await();
    } catch (InterruptedException e) {
      givenUp = true;
      call.cancel("interrupted", e);
      throw Interrupts.cancelled(e);
    }
    RuntimeException failure = thrown;
    if (failure != null) {
      throw failure;
    }
    if (!status.isOk()) {
      throw Errors.fromStatus(status.asRuntimeException(trailers), server);
    }
  }

  @Override
  public void onMessage(T message) {
    if (givenUp || thrown != null) {
      return;
    }
    try {
      Giving.out(() -> taker.accept(message));
    } catch (RuntimeException e) {
      thrown = e;
      call.cancel("the taker failed", e);
      return;
    }
    if (--asked <= AHEAD / 2) {
      call.request(AHEAD - asked);
      asked = AHEAD;
    }
  }

  @Override
  public void onClose(Status end, Metadata endTrailers) {
    status = end;
    trailers = endTrailers;
    over.countDown();
  }
}
