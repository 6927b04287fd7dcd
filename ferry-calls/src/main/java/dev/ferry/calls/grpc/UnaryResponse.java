package dev.ferry.calls.grpc;

import dev.ferry.contract.Errors;
import dev.ferry.core.FerryException;
import io.grpc.ClientCall;
import io.grpc.Status;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A blocking unary call. */
final class UnaryResponse<I, T> extends BlockingCall<I, T> {
  /** One more than expected, as in grpc-java: the status then arrives together with the message. */
  private static final int REQUESTED = 2;

  private @Nullable T message;

  private UnaryResponse(Supplier<ClientCall<I, T>> opener) {
    super(opener);
  }

  static <I, T> T of(Supplier<ClientCall<I, T>> opener, I request, Waiting waiting, String server)
      throws FerryException {
    UnaryResponse<I, T> call = new UnaryResponse<>(opener);
    call.make(request, REQUESTED, waiting, server);
    T message = call.message;
    if (message == null) {
      throw missing(server);
    }
    return message;
  }

  /** The failure of a call that ended without a message. */
  static FerryException missing(String server) {
    return Errors.fromStatus(
        Status.INTERNAL
            .withDescription(server + " responded without a message")
            .asRuntimeException(),
        server);
  }

  @Override
  public void onMessage(T next) {
    if (message != null) {
      throw Status.INTERNAL
          .withDescription("more than one message where one was to be")
          .asRuntimeException();
    }
    message = next;
  }
}
