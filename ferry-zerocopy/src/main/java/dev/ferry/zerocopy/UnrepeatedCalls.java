package dev.ferry.zerocopy;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

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
    if (!(method.getRequestMarshaller() instanceof BytesMarshaller<?> messages)) {
      return next.newCall(method, options);
    }
    CallOptions ready =
        options.getOnReadyThreshold() == null
            ? options.withOnReadyThreshold(ZeroCopy.ON_READY_THRESHOLD)
            : options;
    return new Sending<>(next.newCall(method, ready), messages);
  }

  /**
   * A call that releases, at its end, what it did not send. A call that fails before it has a
   * connection drops its messages, and neither grpc-java before 1.82 nor a call that waits for the
   * address of its server closes them.
   */
  private static final class Sending<Q, R> extends SimpleForwardingClientCall<Q, R> {
    private final Permission permission = new Permission();
    private final Queue<OutgoingMessage<?>> waiting = new ConcurrentLinkedQueue<>();
    private final BytesMarshaller<?> messages;
    private volatile boolean over;

    Sending(ClientCall<Q, R> call, BytesMarshaller<?> messages) {
      super(call);
      this.messages = messages;
    }

    @Override
    public void start(Listener<R> listener, Metadata headers) {
      super.start(
          new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              over = true;
              abandonWaiting();
              super.onClose(status, trailers);
            }
          },
          headers);
    }

    @Override
    public void sendMessage(Q message) {
      if (message instanceof OutgoingMessage<?> outgoing) {
        send(message, outgoing);
      } else if (message instanceof IncomingMessage<?>) {
        forward(message, messages);
      } else {
        super.sendMessage(message);
      }
    }

    /** Sends a message that was received. */
    @SuppressWarnings("unchecked") // The marshaller of the method is for its messages.
    private <M extends MessageLite> void forward(Q message, BytesMarshaller<M> marshaller) {
      OutgoingMessage<M> outgoing = marshaller.outgoing((BytesMessage<M>) message);
      boolean sent = false;
      try {
        send((Q) outgoing, outgoing);
        sent = true;
      } finally {
        if (!sent) {
          outgoing.close();
        }
      }
    }

    private void send(Q message, OutgoingMessage<?> outgoing) {
      outgoing.permit(permission);
      super.sendMessage(message);
      if (outgoing.isWaiting()) {
        dropSent();
        waiting.add(outgoing);
        if (over) {
          abandonWaiting();
        }
      }
    }

    /** So that a long call keeps few. */
    private void dropSent() {
      OutgoingMessage<?> oldest = waiting.peek();
      while (oldest != null && !oldest.isWaiting()) {
        waiting.remove(oldest);
        oldest = waiting.peek();
      }
    }

    private void abandonWaiting() {
      OutgoingMessage<?> message = waiting.poll();
      for (; message != null; message = waiting.poll()) {
        message.abandon();
      }
    }
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
