package dev.ferry.grpc.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Asks a stream for as many messages as were taken off it, several at a time: a request for each
 * alone would cost more than a small message. Thread-safe.
 */
final class ReceiveWindow {
  private final int atOnce;
  private final IntConsumer request;
  private final AtomicInteger owed = new AtomicInteger();

  /**
   * Creates the credit of a stream.
   *
   * @param ahead messages that were asked for when it began; 0 where the stub asks by itself
   * @param request asks for more
   */
  ReceiveWindow(int ahead, IntConsumer request) {
    this.atOnce = ahead / 2;
    this.request = request;
  }

  /** One message was taken. */
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
