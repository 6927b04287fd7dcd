package dev.ferry.http;

import dev.ferry.core.Carrier;

/** The tuned client and the server of this module together. */
class JdkHttpTunedCarrierTest extends JdkHttpCarrierTest {
  @Override
  protected Carrier connect(int port) {
    return JdkHttpCarrier.connectTuned("localhost", port);
  }
}
