package dev.ferry.calls.grpc;

import dev.ferry.contract.Errors;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
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
    return new Counted<>(call, next.startCall(call, headers));
  }

  private Status refuse(Metadata trailers) {
    StatusRuntimeException refusal =
        Errors.toStatus(
            new FerryException(
                ErrorKind.OVERLOADED, most + " calls are running; try again in a moment"),
            "call");
    if (refusal.getTrailers() != null) {
      trailers.merge(refusal.getTrailers());
    }
    return refusal.getStatus();
  }

  /**
   * A call that is let in, or turned away, when its request is whole: one that is still coming
   * takes no room. It ends exactly once, in one of two ways.
   */
  private final class Counted<I> extends SimpleForwardingServerCallListener<I> {
    private final ServerCall<I, ?> call;
    private boolean admitted;
    private boolean refused;

    Counted(ServerCall<I, ?> call, ServerCall.Listener<I> listener) {
      super(listener);
      this.call = call;
    }

    @Override
    public void onHalfClose() {
      if (open.incrementAndGet() > most) {
        open.decrementAndGet();
        refused = true;
        Metadata trailers = new Metadata();
        call.close(refuse(trailers), trailers);
        return;
      }
      admitted = true;
      super.onHalfClose();
    }

    @Override
    public void onReady() {
      if (!refused) {
        super.onReady();
      }
    }

    @Override
    public void onComplete() {
      over();
      super.onComplete();
    }

    @Override
    public void onCancel() {
      over();
      super.onCancel();
    }

    private void over() {
      if (admitted) {
        admitted = false;
        open.decrementAndGet();
      }
    }
  }
}
