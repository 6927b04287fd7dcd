package dev.ferry.web;

import dev.ferry.web.WebChannel.Running;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One call of Armeria's, whose listener hears of nothing before it has asked, and then of the
 * status that the call really ended with: where a server refuses an upload early, Armeria may trip
 * over the closed request while the refusal is being read; where both ends keep the deadline, over
 * the server's reset.
 */
final class WebCall<I, O> extends SimpleForwardingClientCall<I, O> {
  private final Gate gate;
  private final Running running;
  private final @Nullable Deadline deadline;
  private final AtomicReference<@Nullable StatusRuntimeException> refusal;

  /**
   * @param gate where the call's listener is told of everything
   * @param running knows the call while it runs
   * @param refusal where {@link GuardedAnswer} leaves the status of an answer that is nothing else
   */
  WebCall(
      ClientCall<I, O> call,
      Gate gate,
      Running running,
      @Nullable Deadline deadline,
      AtomicReference<@Nullable StatusRuntimeException> refusal) {
    super(call);
    this.gate = gate;
    this.running = running;
    this.deadline = deadline;
    this.refusal = refusal;
  }

  @Override
  public void start(Listener<O> listener, Metadata headers) {
    running.add(this);
    super.start(new Ending(listener), headers);
    running.started(this);
  }

  @Override
  public void request(int messages) {
    super.request(messages);
    gate.open();
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    super.cancel(message, cause);
    gate.open();
  }

  private final class Ending extends SimpleForwardingClientCallListener<O> {
    Ending(Listener<O> listener) {
      super(listener);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      running.remove(WebCall.this);
      StatusRuntimeException refused = refusal.get();
      Metadata said = refused == null ? null : refused.getTrailers();
      if (lost(status) && refused != null && said != null) {
        super.onClose(refused.getStatus(), said);
      } else if (lost(status) && deadline != null && deadline.isExpired()) {
        super.onClose(
            Status.DEADLINE_EXCEEDED.withDescription("took longer than was allowed"), trailers);
      } else {
        super.onClose(status, trailers);
      }
    }
  }

  /** Whether a status is about the stream, and not the peer's word. */
  private static boolean lost(Status status) {
    return switch (status.getCode()) {
      case CANCELLED, UNAVAILABLE, UNKNOWN -> true;
      default -> false;
    };
  }
}
