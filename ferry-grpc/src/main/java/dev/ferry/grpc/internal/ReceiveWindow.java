package dev.ferry.grpc.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Requests messages of a stream in batches, as many as were consumed. A request for each message
 * would cost more than a small message. Thread-safe.
 */
final class ReceiveWindow {
  private final int atOnce;
  private final IntConsumer request;
  private final AtomicInteger owed = new AtomicInteger();

  /**
   * Creates the window of a stream.
   *
   * @param ahead the number of messages requested at the start; 0 if the stub requests messages
   *     itself
   * @param request requests the given number of messages
   */
  ReceiveWindow(int ahead, IntConsumer request) {
    this.atOnce = ahead / 2;
    this.request = request;
  }

  /** Records that one message was consumed. */
  void taken() {
    if (atOnce == 0) {
      return;
    }
    int now = owed.incrementAndGet();
    if (now >= atOnce && owed.compareAndSet(now, 0)) {
      request.accept(now);
    }
  }
}
