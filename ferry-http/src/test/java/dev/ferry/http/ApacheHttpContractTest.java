package dev.ferry.http;

import dev.ferry.core.Carrier;

/** The carrier contract for Apache HttpClient with Ferry's HTTP server. */
class ApacheHttpContractTest extends JdkHttpContractTest {
  @Override
  protected Carrier connect(int port) {
    return ApacheHttpCarrier.connect("127.0.0.1", port);
  }
}
