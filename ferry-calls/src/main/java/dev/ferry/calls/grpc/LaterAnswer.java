package dev.ferry.calls.grpc;

import dev.ferry.contract.Errors;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The one answer of a call, given on as a future. */
final class LaterAnswer<T> implements StreamObserver<T> {
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final String server;
  private @Nullable T value;

  LaterAnswer(String server) {
    this.server = server;
  }

  CompletableFuture<T> future() {
    return future;
  }

  @Override
  public void onNext(T answer) {
    value = answer;
  }

  @Override
  public void onError(Throwable failure) {
    Giving.out(() -> future.completeExceptionally(Errors.fromStatus(failure, server)));
  }

  @Override
  public void onCompleted() {
    T answer = value;
    if (answer == null) {
      Throwable failure =
          Errors.fromStatus(
              Status.INTERNAL
                  .withDescription(server + " answered without a message")
                  .asRuntimeException(),
              server);
      Giving.out(() -> future.completeExceptionally(failure));
    } else {
      Giving.out(() -> future.complete(answer));
    }
  }
}
