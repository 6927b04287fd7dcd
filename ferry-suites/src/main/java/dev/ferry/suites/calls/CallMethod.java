package dev.ferry.suites.calls;

import java.util.function.Function;

/**
 * A method of a table of small calls.
 *
 * @param server the kind of server
 * @param fresh whether each call has a client of its own
 * @param starter starts an invoker
 * @param <Q> the request
 * @param <V> the visitor of the response
 */
record CallMethod<Q, V>(
    CallServers server, boolean fresh, Function<Invokers<Q, V>, Invoker<Q, V>> starter) {
  /** By a client that is kept. */
  static <Q, V> CallMethod<Q, V> kept(
      CallServers server, Function<Invokers<Q, V>, Invoker<Q, V>> starter) {
    return new CallMethod<>(server, false, starter);
  }

  /** By a client for each call. */
  static <Q, V> CallMethod<Q, V> fresh(
      CallServers server, Function<Invokers<Q, V>, Invoker<Q, V>> starter) {
    return new CallMethod<>(server, true, starter);
  }
}
