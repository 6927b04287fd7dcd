package dev.ferry.grpc.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.ServedRequest.CarrierName;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.internal.Requests;
import dev.ferry.wire.internal.RunningRequest;
import dev.ferry.wire.internal.contract.GrpcErrors;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call whose beginning and end are reported. It passes messages on as they are, in front of
 * grpc-java's framer, so it does not affect hand-offs.
 */
final class ReportedCall<I, O> extends SimpleForwardingServerCall<I, O> {
  private static final Metadata.Key<String> TRACE_PARENT =
      Metadata.Key.of(Requests.TRACE_PARENT, Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> CONTENT_TYPE =
      Metadata.Key.of("content-type", Metadata.ASCII_STRING_MARSHALLER);

  private final RunningRequest request;

  /** Stays so if the call is closed in front of the handler, because its message is unreadable. */
  private volatile @Nullable ErrorKind error = ErrorKind.INVALID_REQUEST;

  private volatile boolean closed;

  private ReportedCall(ServerCall<I, O> call, RunningRequest request) {
    super(call);
    this.request = request;
  }

  static <I, O> ReportedCall<I, O> begin(
      Requests requests, Operation operation, ServerCall<I, O> call, Metadata headers) {
    return new ReportedCall<>(
        call,
        requests.begin(
            carrier(headers.get(CONTENT_TYPE)),
            operation,
            call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
            headers.get(TRACE_PARENT)));
  }

  /** grpc-java itself takes the field out of the metadata; the port of gRPC-Web leaves it there. */
  private static CarrierName carrier(@Nullable String contentType) {
    if (contentType == null || !contentType.startsWith("application/grpc-web")) {
      return CarrierName.GRPC;
    }
    return contentType.startsWith("application/grpc-web-text")
        ? CarrierName.GRPC_WEB_TEXT
        : CarrierName.GRPC_WEB;
  }

  RunningRequest request() {
    return request;
  }

  /** Closes the call before it is handled. */
  void refuse(FerryException why) {
    refuse(GrpcErrors.toStatus(why, "call"));
  }

  /** Closes the call with a status before it is handled. */
  void refuse(StatusRuntimeException status) {
    close(status.getStatus(), Objects.requireNonNullElseGet(status.getTrailers(), Metadata::new));
  }

  @Override
  public void close(Status status, Metadata trailers) {
    error =
        status.isOk()
            ? null
            : GrpcErrors.fromStatus(status.asRuntimeException(trailers), "call").kind();
    closed = true;
    super.close(status, trailers);
  }

  /** Returns a listener that reports the end of the call. */
  ServerCall.Listener<I> reported(ServerCall.Listener<I> listener) {
    return new SimpleForwardingServerCallListener<>(listener) {
      @Override
      public void onComplete() {
        request.end(error);
        super.onComplete();
      }

      @Override
      public void onCancel() {
        if (closed && error != null) {
          request.end(error);
        } else {
          request.cut();
        }
        super.onCancel();
      }
    };
  }
}
