package dev.ferry.calls.grpc;

import dev.ferry.contract.Errors;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Completes a future with the response of a unary call. */
final class UnaryFuture<T> implements StreamObserver<T> {
  private final CompletableFuture<T> future = new CallFuture<>();
  private final String server;
  private final Runnable end;
  private @Nullable T value;

  /**
   * Creates an observer with an incomplete future.
   *
   * @param server name of the server, for messages
   * @param end runs before the future is completed
   */
  UnaryFuture(String server, Runnable end) {
    this.server = server;
    this.end = end;
  }

  CompletableFuture<T> future() {
    return future;
  }

  @Override
  public void onNext(T response) {
    value = response;
  }

  @Override
  public void onError(Throwable failure) {
    end.run();
    CallbackThread.out(() -> future.completeExceptionally(Errors.fromStatus(failure, server)));
  }

  @Override
  public void onCompleted() {
    end.run();
    T response = value;
    if (response == null) {
      Throwable failure = UnaryResponse.missing(server);
      CallbackThread.out(() -> future.completeExceptionally(failure));
    } else {
      CallbackThread.out(() -> future.complete(response));
    }
  }
}
