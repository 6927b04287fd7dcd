package dev.ferry.suites.calls.service.grpc;

import com.google.protobuf.MessageLite;
import dev.ferry.core.FerryException;
import dev.ferry.suites.calls.service.ConcurrencyLimiter;
import dev.ferry.suites.rival.CallFailures;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.function.LongFunction;

/**
 * Sends what the handlers of all services return. A long reply holds its bytes of the {@link
 * ConcurrencyLimiter} until its call is over.
 *
 * @param limiter refuses long replies that do not fit
 */
record Replies(ConcurrencyLimiter limiter) {
  /** Makes the reply to a request. */
  @FunctionalInterface
  interface Handler<T> {
    T handle() throws FerryException;
  }

  /** Sends a reply, or the failure of its handler. */
  <T extends MessageLite> void unary(StreamObserver<T> to, Handler<T> handler) {
    T reply;
    try {
      reply = handler.handle();
      reserve(reply.getSerializedSize(), to);
    } catch (FerryException e) {
      to.onError(CallFailures.toStatus(e));
      return;
    }
    to.onNext(reply);
    to.onCompleted();
  }

  /**
   * Sends elements only as fast as the transport takes them, so that few are in memory.
   *
   * @param counter returns how many there are
   * @param element makes the one of an index
   */
  <T> void stream(StreamObserver<T> to, Handler<Long> counter, LongFunction<T> element) {
    long count;
    try {
      count = counter.handle();
    } catch (FerryException e) {
      to.onError(CallFailures.toStatus(e));
      return;
    }
    ServerCallStreamObserver<T> responses = (ServerCallStreamObserver<T>) to;
    // Without a handler, onNext would throw after a cancellation.
    responses.setOnCancelHandler(() -> {});
    responses.setOnReadyHandler(
        new Runnable() {
          private long next;

          @Override
          public void run() {
            for (; next <= count && !responses.isCancelled() && responses.isReady(); next++) {
              if (next < count) {
                responses.onNext(element.apply(next));
              } else {
                responses.onCompleted();
              }
            }
          }
        });
  }

  /** Counts bytes until a call is over, in one of the two ways there are. */
  void reserve(long bytes, StreamObserver<?> to) throws FerryException {
    long taken = limiter.take(bytes);
    if (taken > 0) {
      ServerCallStreamObserver<?> call = (ServerCallStreamObserver<?>) to;
      Runnable give = () -> limiter.give(taken);
      call.setOnCloseHandler(give);
      call.setOnCancelHandler(give);
    }
  }
}
