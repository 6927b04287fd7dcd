package dev.ferry.zerocopy;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;

/**
 * Permits the requests of a call to be handed off, and has streams take more before they are not
 * ready. A channel with retries or hedging keeps the messages of a call, and may send them again;
 * most channels of grpc-java do so, also without a policy. A buffer that was handed off no longer
 * exists, so a message that did not pass here is copied, and may be sent as often as grpc-java
 * wants.
 */
final class UnrepeatedCalls implements ClientInterceptor {
  static final UnrepeatedCalls INSTANCE = new UnrepeatedCalls();

  /** What sends the messages of a call that may be repeated. */
  private static final String RETRIES = "io.grpc.internal.RetriableStream";

  private UnrepeatedCalls() {}

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    if (!(method.getRequestMarshaller() instanceof BytesMarshaller)) {
      return next.newCall(method, options);
    }
    CallOptions ready =
        options.getOnReadyThreshold() == null
            ? options.withOnReadyThreshold(ZeroCopy.ON_READY_THRESHOLD)
            : options;
    ClientCall<Q, R> call = next.newCall(method, ready);
    Permission permission = new Permission();
    return new SimpleForwardingClientCall<>(call) {
      @Override
      public void sendMessage(Q message) {
        if (message instanceof OutgoingMessage<?> outgoing) {
          outgoing.permit(permission);
        }
        super.sendMessage(message);
      }
    };
  }

  /** Whether the messages of one call may be handed off. */
  static final class Permission {
    private boolean asked;
    private boolean repeated;

    /**
     * Returns whether the current thread sends for a call that may be repeated after all: a user
     * may have enabled retries again. There is no other way to know, and once for each call is
     * cheap.
     */
    boolean mayHandOff() {
      if (!asked) {
        asked = true;
        repeated =
            StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(f -> f.getClassName().startsWith(RETRIES)));
      }
      return !repeated;
    }
  }
}
