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

/** A call whose caller blocks until it ends. Used once. */
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
   * @param opener opens the call after the waiting thread has entered the event loop, if it enters
   *     it. A new channel connects when its first call is opened; opened earlier, it would connect
   *     on another thread
   */
  BlockingCall(Supplier<ClientCall<I, T>> opener) {
    this.opener = opener;
  }

  /**
   * Sends a request and waits for the end of the call.
   *
   * @param messages number of messages to request initially
   * @param server name of the server, for messages
   */
  final void make(I request, int messages, Waiting waiting, String server) throws FerryException {
    try {
      waiting.until(() -> send(request, messages), this);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FerryException(
          ErrorKind.CANCELLED, "interrupted while waiting for the response", e);
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
   * Marks the call, before it is started, as one whose waiting thread runs the event loop.
   *
   * @param wakeup wakes the event loop so that it checks whether the call is over
   */
  final void isTurned(Runnable wakeup) {
    afterEnd = wakeup;
  }

  /**
   * Marks the call, before it is started, as one whose callbacks run on other threads.
   *
   * @param end runs before the waiting thread is notified, so that its next call does not find this
   *     one still running
   */
  final void isServed(Runnable end) {
    served = true;
    beforeEnd = end;
  }

  final boolean served() {
    return served;
  }

  /** The call, after it was started. */
  final ClientCall<I, T> call() {
    return Objects.requireNonNull(call);
  }

  final boolean isOver() {
    return over.getCount() == 0;
  }

  /**
   * Waits until the call is over. Does not throw if it is over already, even if the thread is
   * interrupted.
   */
  final void await() throws InterruptedException {
    if (!isOver()) {
      over.await();
    }
  }

  /** Cancels the call, because its caller no longer waits. No more messages may be delivered. */
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
