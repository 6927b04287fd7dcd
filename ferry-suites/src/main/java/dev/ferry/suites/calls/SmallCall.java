package dev.ferry.suites.calls;

import dev.ferry.suites.calls.service.CallClient;
import dev.ferry.suites.rival.jdk.MappedHttp;
import io.grpc.Channel;

/**
 * A kind of call, over each kind of client.
 *
 * @param <Q> the request
 * @param <V> the visitor of the response
 */
interface SmallCall<Q, V> {
  /** Over generated code. */
  Invoker<Q, V> over(Channel channel);

  /** Over java.net.http with Jackson's mapper. */
  Invoker<Q, V> over(MappedHttp http);

  /** Over one of Ferry's clients. */
  Invoker<Q, V> over(CallClient client);
}
