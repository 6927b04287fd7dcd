package dev.ferry.suites.calls;

import java.io.IOException;

/**
 * Makes calls of one kind, through a client that it keeps or one that it makes for each call. For
 * one worker.
 *
 * @param <Q> the request
 * @param <V> the visitor of the response
 */
@FunctionalInterface
interface Invoker<Q, V> extends AutoCloseable {
  /** Makes a call and passes its response to a visitor. */
  void call(Q request, V visitor) throws IOException;

  /** Closes what it keeps. */
  @Override
  default void close() {}

  /** The same, which closes something as well. */
  default Invoker<Q, V> closing(Runnable close) {
    Invoker<Q, V> invoker = this;
    return new Invoker<>() {
      @Override
      public void call(Q request, V visitor) throws IOException {
        invoker.call(request, visitor);
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }
}
