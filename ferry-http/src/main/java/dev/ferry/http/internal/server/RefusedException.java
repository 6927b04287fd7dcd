package dev.ferry.http.internal.server;

import io.netty.handler.codec.http.FullHttpResponse;

/**
 * Ends the work for a request with a response that says more than a failure can. It is thrown on
 * workers, which may ask the store for what the response says.
 */
final class RefusedException extends RuntimeException {
  private final transient FullHttpResponse response;

  RefusedException(FullHttpResponse response) {
    super(response.status().toString(), null, false, false);
    this.response = response;
  }

  FullHttpResponse response() {
    return response;
  }
}
