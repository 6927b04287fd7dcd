package dev.ferry.suites.own;

import example.blobs.WriteResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of a file that is written.
 *
 * @param <M> a message
 */
final class WriteObserver<M> implements StreamObserver<M> {
  private final BlobReceiver<M> receiver;
  private final StreamObserver<WriteResponse> responses;
  private final @Nullable ServerCallStreamObserver<WriteResponse> call;
  private boolean failed;

  private WriteObserver(
      BlobReceiver<M> receiver,
      StreamObserver<WriteResponse> responses,
      @Nullable ServerCallStreamObserver<WriteResponse> call) {
    this.receiver = receiver;
    this.responses = responses;
    this.call = call;
  }

  /** Leaves it to grpc-java to request messages: one after another. */
  static <M> WriteObserver<M> of(
      BlobReceiver<M> receiver, StreamObserver<WriteResponse> responses) {
    return new WriteObserver<>(receiver, responses, null);
  }

  /** Requests messages ahead. */
  static <M> WriteObserver<M> ahead(
      BlobReceiver<M> receiver, StreamObserver<WriteResponse> responses) {
    var call = (ServerCallStreamObserver<WriteResponse>) responses;
    call.disableAutoRequest();
    call.request(TunedBlobs.AHEAD);
    return new WriteObserver<>(receiver, responses, call);
  }

  @Override
  public void onNext(M blob) {
    try {
      receiver.take(blob);
      if (call != null) {
        call.request(1);
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  @Override
  public void onError(Throwable cancelled) {
    receiver.close();
  }

  @Override
  public void onCompleted() {
    if (failed) {
      return;
    }
    try (receiver) {
      responses.onNext(receiver.committed());
      responses.onCompleted();
    } catch (IOException e) {
      fail(e);
    }
  }

  private void fail(IOException e) {
    if (!failed) {
      failed = true;
      receiver.close();
      responses.onError(Blobs.status(e));
    }
  }
}
