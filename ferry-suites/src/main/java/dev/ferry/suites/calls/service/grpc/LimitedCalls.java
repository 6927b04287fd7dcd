package dev.ferry.suites.calls.service.grpc;

import dev.ferry.core.FerryException;
import dev.ferry.suites.calls.service.ConcurrencyLimiter;
import dev.ferry.suites.rival.CallFailures;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;

/** Admits calls within the limits and rejects others immediately. Thread-safe. */
record LimitedCalls(ConcurrencyLimiter limiter) implements ServerInterceptor {
  @Override
  public <I, O> ServerCall.Listener<I> interceptCall(
      ServerCall<I, O> call, Metadata headers, ServerCallHandler<I, O> next) {
    return new Counted<>(call, next.startCall(call, headers));
  }

  /**
   * A call that is admitted or rejected when its request is complete, so that incomplete requests
   * do not count. It ends exactly once, with onComplete or onCancel.
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
      try {
        limiter.enter();
      } catch (FerryException e) {
        refused = true;
        StatusRuntimeException refusal = CallFailures.toStatus(e);
        Metadata trailers = refusal.getTrailers();
        call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
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
        limiter.leave();
      }
    }
  }
}
