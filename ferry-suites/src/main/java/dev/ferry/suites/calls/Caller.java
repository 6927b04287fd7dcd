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
interface Caller<Q, V> extends AutoCloseable {
  /** Makes a call and passes its response to a visitor. */
  void call(Q request, V visitor) throws IOException;

  /** Closes what it keeps. */
  @Override
  default void close() {}

  /** The same, which closes something as well. */
  default Caller<Q, V> closing(Runnable close) {
    Caller<Q, V> caller = this;
    return new Caller<>() {
      @Override
      public void call(Q request, V visitor) throws IOException {
        caller.call(request, visitor);
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }
}
