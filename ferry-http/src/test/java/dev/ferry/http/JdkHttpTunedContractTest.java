package dev.ferry.http;

import dev.ferry.core.Carrier;

/** The carrier contract for java.net.http with all that makes it faster. */
class JdkHttpTunedContractTest extends JdkHttpContractTest {
  @Override
  protected Carrier connect(int port) {
    return JdkHttpCarrier.connectTuned("127.0.0.1", port);
  }
}
