package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.internal.AccessRules;
import io.netty.handler.codec.http.FullHttpResponse;

/** What a port does with the requests that its rules admit. Called on the event loop. */
public interface RequestHandler {
  /**
   * Handles a request: responds, or has its exchange begin what responds later.
   *
   * @throws FerryException to refuse the request
   */
  void handle(Exchange exchange) throws FerryException;

  /** Returns what a request is for, before it is handled or refused. */
  default Operation operation(Exchange exchange) {
    return Operation.OTHER;
  }

  /**
   * Returns whether {@link #handle} reports a request itself, and refuses it if the server stops.
   */
  default boolean reports(Exchange exchange) {
    return false;
  }

  /** Creates the response to a request whose origin or host is not allowed. */
  default FullHttpResponse refusal(Exchange exchange, AccessRules.Refusal refusal) {
    return Responses.refusal(refusal);
  }
}
