package dev.ferry.calls.grpc;

import dev.ferry.contract.Errors;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The answer to a call that a thread waits for. Used once. */
abstract class BlockingCall<I, T> extends ClientCall.Listener<T> {
  private static final Runnable NOTHING = () -> {};

  private final Supplier<ClientCall<I, T>> opener;
  private final CountDownLatch over = new CountDownLatch(1);
  private @Nullable ClientCall<I, T> call;
  private Runnable beforeEnd = NOTHING;
  private Runnable afterEnd = NOTHING;
  private boolean served;
  private Status status = Status.UNKNOWN;
  private Metadata trailers = new Metadata();

  /**
   * Prepares a call.
   *
   * @param opener opens it when the thread that waits has taken the loop, if it takes it: a new
   *     channel connects when the first call is opened, and would have another thread do so
   */
  BlockingCall(Supplier<ClientCall<I, T>> opener) {
    this.opener = opener;
  }

  /**
   * Sends a request and waits for the end of its answer.
   *
   * @param messages how many are asked for at first
   * @param server its name, for messages
   */
  final void make(I request, int messages, Waiting waiting, String server) throws FerryException {
    try {
      waiting.until(() -> send(request, messages), this);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FerryException(ErrorKind.CANCELLED, "interrupted while waiting for the answer", e);
    } catch (RejectedExecutionException e) {
      throw new FerryException(ErrorKind.UNAVAILABLE, "the client of " + server + " is closed", e);
    }
    if (!status.isOk()) {
      throw Errors.fromStatus(status.asRuntimeException(trailers), server);
    }
  }

  private void send(I request, int messages) {
    ClientCall<I, T> opened = opener.get();
    call = opened;
    opened.start(this, new Metadata());
    opened.request(messages);
    opened.sendMessage(request);
    opened.halfClose();
  }

  /**
   * Says, before it is sent, that the thread which waits has the call's loop.
   *
   * @param wakeup has it look whether the call is over
   */
  final void isTurned(Runnable wakeup) {
    afterEnd = wakeup;
  }

  /**
   * Says, before it is sent, that the answer comes on other threads than the one which waits.
   *
   * @param end runs before that one is told that the call is over, for its next call is not to find
   *     this one still under way
   */
  final void isServed(Runnable end) {
    served = true;
    beforeEnd = end;
  }

  final boolean served() {
    return served;
  }

  /** The call, once it is started. */
  final ClientCall<I, T> call() {
    return Objects.requireNonNull(call);
  }

  final boolean isOver() {
    return over.getCount() == 0;
  }

  /**
   * Waits until it is over; if it is, that is not too late even for a thread that is interrupted.
   */
  final void await() throws InterruptedException {
    if (!isOver()) {
      over.await();
    }
  }

  /** Nobody waits any more, and nothing more is to be given out. */
  void giveUp(Throwable reason) {
    if (call != null) {
      call.cancel("given up by its caller", reason);
    }
  }

  @Override
  public void onClose(Status end, Metadata endTrailers) {
    status = end;
    trailers = endTrailers;
    beforeEnd.run();
    over.countDown();
    afterEnd.run();
  }
}
