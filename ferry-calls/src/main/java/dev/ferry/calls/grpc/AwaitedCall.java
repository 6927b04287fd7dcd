package dev.ferry.calls.grpc;

import dev.ferry.contract.Errors;
import dev.ferry.core.FerryException;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CountDownLatch;

/** The answer to a call that a thread waits for. Used once. */
abstract class AwaitedCall<T> extends ClientCall.Listener<T> {
  private final CountDownLatch over = new CountDownLatch(1);
  private Runnable onEnd = () -> {};
  private Status status = Status.UNKNOWN;
  private Metadata trailers = new Metadata();

  /**
   * Sends a request and waits for the end of its answer.
   *
   * @param messages how many are asked for at first
   * @param server its name, for messages
   */
  final <I> void make(
      ClientCall<I, T> call, I request, int messages, Waiting waiting, String server)
      throws FerryException {
    try {
      waiting.until(() -> send(call, request, messages), this);
    } catch (InterruptedException e) {
      call.cancel("interrupted", e);
      throw Interrupts.cancelled(e);
    }
    if (!status.isOk()) {
      throw Errors.fromStatus(status.asRuntimeException(trailers), server);
    }
  }

  private <I> void send(ClientCall<I, T> call, I request, int messages) {
    call.start(this, new Metadata());
    try {
      call.request(messages);
      call.sendMessage(request);
      call.halfClose();
    } catch (RuntimeException e) {
      call.cancel("the request could not be sent", e);
      throw e;
    }
  }

  /** Sets what runs when the call is over, before it is sent. */
  final void onEnd(Runnable listener) {
    onEnd = listener;
  }

  final boolean isOver() {
    return over.getCount() == 0;
  }

  final void await() throws InterruptedException {
    over.await();
  }

  @Override
  public void onClose(Status end, Metadata endTrailers) {
    status = end;
    trailers = endTrailers;
    over.countDown();
    onEnd.run();
  }
}
