package dev.ferry.calls.grpc;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.Iterator;

/** Sends what an iterator gives, never more than the transport is ready for. */
final class IteratorSender<T> {
  private final Iterator<T> source;
  private final ServerCallStreamObserver<T> responses;
  private boolean ended;

  private IteratorSender(Iterator<T> source, ServerCallStreamObserver<T> responses) {
    this.source = source;
    this.responses = responses;
  }

  /** Begins; called while the call is being started. */
  static <T> void start(Iterator<T> source, ServerCallStreamObserver<T> responses) {
    IteratorSender<T> sender = new IteratorSender<>(source, responses);
    // Without it a cancelled call would throw at whoever sends.
    responses.setOnCancelHandler(() -> {});
    responses.setOnReadyHandler(sender::send);
  }

  private void send() {
    while (!ended && !responses.isCancelled() && responses.isReady()) {
      if (source.hasNext()) {
        responses.onNext(source.next());
      } else {
        ended = true;
        responses.onCompleted();
      }
    }
  }
}
