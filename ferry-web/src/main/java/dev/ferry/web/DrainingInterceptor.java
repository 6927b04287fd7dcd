package dev.ferry.web;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/**
 * Takes off what has arrived of a call that is over.
 *
 * <p>Armeria keeps messages that were received and not asked for, and forgets them with their
 * buffers when the call ends before its stream was read to the end. Asking for all of them has it
 * release them; nothing of that reaches a service, or the network when the peer has sent its last.
 */
final class DrainingInterceptor implements ServerInterceptor {
  @Override
  public <I, O> ServerCall.Listener<I> interceptCall(
      ServerCall<I, O> call, Metadata headers, ServerCallHandler<I, O> next) {
    ServerCall<I, O> draining =
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void close(Status status, Metadata trailers) {
            super.close(status, trailers);
            request(Integer.MAX_VALUE);
          }
        };
    return new SimpleForwardingServerCallListener<>(next.startCall(draining, headers)) {
      @Override
      public void onCancel() {
        super.onCancel();
        call.request(Integer.MAX_VALUE);
      }
    };
  }
}
