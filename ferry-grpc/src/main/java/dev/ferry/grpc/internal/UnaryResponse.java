package dev.ferry.grpc.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Completes a future with the single response message of a call after the call has succeeded. */
class UnaryResponse<T> implements StreamObserver<T> {
  private final CompletableFuture<T> done;
  private @Nullable T response;

  UnaryResponse(CompletableFuture<T> done) {
    this.done = done;
  }

  @Override
  public void onNext(T message) {
    response = message;
  }

  @Override
  public void onError(Throwable failure) {
    done.completeExceptionally(failure);
  }

  @Override
  public void onCompleted() {
    if (response == null) {
      done.completeExceptionally(
          new FerryException(ErrorKind.INTERNAL, "the server ended a call without a response"));
    } else {
      done.complete(response);
    }
  }
}
