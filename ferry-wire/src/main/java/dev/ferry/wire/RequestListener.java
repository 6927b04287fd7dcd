package dev.ferry.wire;

/**
 * Receives the beginning and the end of each request for files, on all ports of a server. The ports
 * report them with their own code: an interceptor of gRPC would see only some of the messages of a
 * transfer.
 *
 * <p>Health checks and reflection are not reported. Requests that no protocol can read, and
 * connections that are refused, are only counted ({@link ServerPort#refusals}).
 *
 * <p>Thread-safe. Event loops call the methods, so they must neither block nor throw.
 */
public interface RequestListener {
  /** Ignores everything. */
  RequestListener NONE =
      new RequestListener() {
        @Override
        public void began(ServedRequest request) {}

        @Override
        public void ended(EndedRequest request) {}
      };

  /** Called when the head of a request has arrived. */
  void began(ServedRequest request);

  /** Called once for each request that began. */
  void ended(EndedRequest request);
}
