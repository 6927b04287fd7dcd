package dev.ferry.suites.calls.service.grpc;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.Iterator;

/** Sends the elements of an iterator, never more than the transport is ready for. */
final class IteratorSender<T> {
  private final Iterator<T> source;
  private final ServerCallStreamObserver<T> responses;
  private boolean ended;

  private IteratorSender(Iterator<T> source, ServerCallStreamObserver<T> responses) {
    this.source = source;
    this.responses = responses;
  }

  /** Starts sending. Must be called while the call is being started. */
  static <T> void start(Iterator<T> source, ServerCallStreamObserver<T> responses) {
    IteratorSender<T> sender = new IteratorSender<>(source, responses);
    // Without a handler, onNext would throw after a cancellation.
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
