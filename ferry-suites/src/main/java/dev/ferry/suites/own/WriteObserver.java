package dev.ferry.suites.own;

import example.blobs.WriteResponse;
import io.grpc.stub.StreamObserver;
import java.io.IOException;

/**
 * The server's end of a file that is written.
 *
 * @param <M> a message
 */
class WriteObserver<M> implements StreamObserver<M> {
  private final BlobReceiver<M> receiver;
  private final StreamObserver<WriteResponse> responses;
  private boolean failed;

  WriteObserver(BlobReceiver<M> receiver, StreamObserver<WriteResponse> responses) {
    this.receiver = receiver;
    this.responses = responses;
  }

  @Override
  public void onNext(M blob) {
    try {
      receiver.take(blob);
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
      responses.onNext(WriteResponse.newBuilder().setSize(receiver.commit()).build());
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
