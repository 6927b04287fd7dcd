package dev.ferry.suites.calls;

import java.io.IOException;

/**
 * Makes calls of one kind, through a client that it keeps or one that it makes for each call. For
 * one worker.
 *
 * @param <Q> what is asked for
 * @param <V> who is given the answer
 */
final class Caller<Q, V> implements AutoCloseable {
  private final SmallCall.Asking<Q, V> asking;
  private final Runnable close;

  /** One that makes its clients itself, or uses one that is closed with it. */
  Caller(SmallCall.Asking<Q, V> asking, Runnable close) {
    this.asking = asking;
    this.close = close;
  }

  /** Has the answer come, and gives it to a visitor. */
  void call(Q question, V visitor) throws IOException {
    asking.ask(question, visitor);
  }

  @Override
  public void close() {
    close.run();
  }
}
