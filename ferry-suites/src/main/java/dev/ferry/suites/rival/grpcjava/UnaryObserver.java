package dev.ferry.suites.rival.grpcjava;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The one response of a call, as a future. */
public final class UnaryObserver<T> implements StreamObserver<T> {
  private final CompletableFuture<T> response = new CompletableFuture<>();
  private @Nullable T value;

  /** Completed when the call has ended. */
  public CompletableFuture<T> response() {
    return response;
  }

  @Override
  public void onNext(T message) {
    value = message;
  }

  @Override
  public void onError(Throwable failure) {
    response.completeExceptionally(failure);
  }

  @Override
  public void onCompleted() {
    response.complete(value);
  }
}
