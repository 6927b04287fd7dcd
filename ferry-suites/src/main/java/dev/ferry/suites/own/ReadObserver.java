package dev.ferry.suites.own;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of a file that is read, with messages requested ahead.
 *
 * @param <Q> the request
 * @param <M> a message
 */
public final class ReadObserver<Q, M> implements ClientResponseObserver<Q, M> {
  private final Receiver<M> receiver;
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private @Nullable ClientCallStreamObserver<Q> call;

  /**
   * Receives messages.
   *
   * @param <M> a message
   */
  @FunctionalInterface
  public interface Receiver<M> {
    /**
     * Takes a message over, also if this method throws.
     *
     * @throws IOException if it cannot be written; the call is cancelled then
     */
    void take(M message) throws IOException;
  }

  /** Creates the observer of one call. */
  public ReadObserver(Receiver<M> receiver) {
    this.receiver = receiver;
  }

  /**
   * Waits for the end of the stream.
   *
   * @throws ExecutionException if it ends with another status than OK, with the failure as its
   *     cause
   */
  public void await() throws ExecutionException, InterruptedException {
    try {
      Boolean unused = ended.get();
    } catch (InterruptedException e) {
      Objects.requireNonNull(call).cancel("interrupted", e);
      throw e;
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<Q> starting) {
    call = starting;
    starting.disableAutoRequestWithInitial(TunedBlobs.AHEAD);
  }

  @Override
  public void onNext(M blob) {
    ClientCallStreamObserver<Q> running = Objects.requireNonNull(call);
    try {
      receiver.take(blob);
      running.request(1);
    } catch (IOException e) {
      running.cancel("the file cannot be written", e);
    }
  }

  @Override
  public void onError(Throwable failure) {
    ended.completeExceptionally(failure);
  }

  @Override
  public void onCompleted() {
    ended.complete(true);
  }
}
