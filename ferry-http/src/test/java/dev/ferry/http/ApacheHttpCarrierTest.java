package dev.ferry.http;

import dev.ferry.core.Carrier;

/** Apache's client and the server of this module together. */
class ApacheHttpCarrierTest extends JdkHttpCarrierTest {
  @Override
  protected Carrier connect(int port) {
    return ApacheHttpCarrier.connect("localhost", port);
  }
}
