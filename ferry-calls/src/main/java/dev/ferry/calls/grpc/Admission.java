package dev.ferry.calls.grpc;

import dev.ferry.contract.Errors;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets so many calls in at a time, and turns the others away at once. Thread-safe. */
final class Admission implements ServerInterceptor {
  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  /**
   * Lets calls in.
   *
   * @param most calls of all connections together
   */
  Admission(int most) {
    this.most = most;
  }

  @Override
  public <I, O> ServerCall.Listener<I> interceptCall(
      ServerCall<I, O> call, Metadata headers, ServerCallHandler<I, O> next) {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      StatusRuntimeException refusal =
          Errors.toStatus(
              new FerryException(
                  ErrorKind.OVERLOADED, most + " calls are running; try again in a moment"),
              "call");
      Metadata trailers = refusal.getTrailers();
      call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
      return new ServerCall.Listener<>() {};
    }
    return new Counted<>(next.startCall(call, headers));
  }

  /** A call that is let in; it ends exactly once, in one of two ways. */
  private final class Counted<I> extends SimpleForwardingServerCallListener<I> {
    Counted(ServerCall.Listener<I> listener) {
      super(listener);
    }

    @Override
    public void onComplete() {
      open.decrementAndGet();
      super.onComplete();
    }

    @Override
    public void onCancel() {
      open.decrementAndGet();
      super.onCancel();
    }
  }
}
