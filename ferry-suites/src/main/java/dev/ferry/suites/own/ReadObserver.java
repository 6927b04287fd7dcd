package dev.ferry.suites.own;

import example.blobs.ReadRequest;
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
 * @param <M> a message
 */
final class ReadObserver<M> implements ClientResponseObserver<ReadRequest, M> {
  private final BlobReceiver<M> receiver;
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private @Nullable ClientCallStreamObserver<ReadRequest> call;

  ReadObserver(BlobReceiver<M> receiver) {
    this.receiver = receiver;
  }

  /** Waits for the end of the stream. */
  void await() throws ExecutionException, InterruptedException {
    try {
      Boolean unused = ended.get();
    } catch (InterruptedException e) {
      Objects.requireNonNull(call).cancel("interrupted", e);
      throw e;
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<ReadRequest> starting) {
    call = starting;
    starting.disableAutoRequestWithInitial(TunedBlobs.AHEAD);
  }

  @Override
  public void onNext(M blob) {
    ClientCallStreamObserver<ReadRequest> running = Objects.requireNonNull(call);
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
