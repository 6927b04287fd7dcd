package dev.ferry.suites.calls;

import dev.ferry.calls.CallClient;
import dev.ferry.suites.rival.jdk.MappedHttp;
import io.grpc.Channel;
import java.io.IOException;

/**
 * A kind of call, over each kind of client.
 *
 * @param <Q> what is asked for
 * @param <V> who is given the answer
 */
interface SmallCall<Q, V> {
  /** Over generated code. */
  Asking<Q, V> over(Channel channel);

  /** Over java.net.http with Jackson's mapper. */
  Asking<Q, V> over(MappedHttp http);

  /** Over one of Ferry's clients. */
  Asking<Q, V> over(CallClient client);

  /** Makes a call. */
  @FunctionalInterface
  interface Asking<Q, V> {
    /** Has the answer come, and gives it to a visitor. */
    void ask(Q question, V visitor) throws IOException;
  }
}
