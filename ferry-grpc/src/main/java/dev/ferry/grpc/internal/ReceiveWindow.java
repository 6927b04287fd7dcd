package dev.ferry.grpc.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Requests messages of a stream in batches, as many as were consumed. A request for each message
 * would cost more than a small message. Thread-safe.
 */
final class ReceiveWindow {
  private final int ahead;
  private final IntConsumer request;
  private final AtomicInteger singly;
  private final AtomicInteger owed = new AtomicInteger();

  /**
   * Creates the window of a stream.
   *
   * @param ahead the number of messages requested at the start; 0 if the stub requests messages
   *     itself
   * @param request requests the given number of messages
   */
  ReceiveWindow(int ahead, IntConsumer request) {
    this(ahead, 0, request);
  }

  /**
   * Creates the window of a stream whose first messages are requested one by one.
   *
   * @param ahead the number of messages requested when the first ones were consumed
   * @param singly the number of those
   */
  ReceiveWindow(int ahead, int singly, IntConsumer request) {
    this.ahead = ahead;
    this.singly = new AtomicInteger(singly);
    this.request = request;
  }

  /** Requests the first messages. */
  void start() {
    request.accept(singly.get() > 0 ? 1 : ahead);
  }

  /** Records that one message was consumed. */
  void taken() {
    if (singly.get() > 0) {
      // No other message is under way.
      request.accept(singly.decrementAndGet() > 0 ? 1 : ahead);
      return;
    }
    int atOnce = ahead / 2;
    if (atOnce == 0) {
      return;
    }
    int now = owed.incrementAndGet();
    if (now >= atOnce && owed.compareAndSet(now, 0)) {
      request.accept(now);
    }
  }
}
