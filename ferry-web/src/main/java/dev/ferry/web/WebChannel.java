package dev.ferry.web;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Armeria's channels with gzip at a level of ours, which takes a channel of its own, and with the
 * status a call really ended with.
 *
 * <p>Where a server refuses an upload early, Armeria's client may trip over the closed request
 * before it has read the refusal; where both ends keep the deadline, over the server's reset.
 */
final class WebChannel extends Channel {
  /** Where {@link WireCounter} leaves the status of an answer that is nothing else. */
  static final CallOptions.Key<@Nullable AtomicReference<@Nullable StatusRuntimeException>>
      REFUSAL = CallOptions.Key.create("ferry-refusal");

  private final Channel plain;
  private final Channel packed;

  WebChannel(Channel plain, Channel packed) {
    this.plain = plain;
    this.packed = packed;
  }

  @Override
  public <I, O> ClientCall<I, O> newCall(MethodDescriptor<I, O> method, CallOptions options) {
    AtomicReference<@Nullable StatusRuntimeException> refusal = new AtomicReference<>();
    Deadline deadline = options.getDeadline();
    boolean gzip = Codecs.GZIP.getMessageEncoding().equals(options.getCompressor());
    CallOptions ours = options.withCompression(null).withOption(REFUSAL, refusal);
    return new SimpleForwardingClientCall<>((gzip ? packed : plain).newCall(method, ours)) {
      @Override
      public void start(Listener<O> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onClose(Status status, Metadata trailers) {
                StatusRuntimeException refused = refusal.get();
                if (lost(status) && refused != null && refused.getTrailers() != null) {
                  super.onClose(refused.getStatus(), refused.getTrailers());
                } else if (lost(status) && deadline != null && deadline.isExpired()) {
                  super.onClose(
                      Status.DEADLINE_EXCEEDED.withDescription("took longer than was allowed"),
                      trailers);
                } else {
                  super.onClose(status, trailers);
                }
              }
            },
            headers);
      }
    };
  }

  /** Whether a status is about the stream, and not the peer's word. */
  private static boolean lost(Status status) {
    return switch (status.getCode()) {
      case CANCELLED, UNAVAILABLE, UNKNOWN -> true;
      default -> false;
    };
  }

  @Override
  public String authority() {
    return plain.authority();
  }
}
