package dev.ferry.http;

import dev.ferry.core.Carrier;

/** The tuned client with servers that lie, stall or go away. */
class JdkHttpTunedFaultsTest extends JdkHttpCarrierFaultsTest {
  @Override
  protected Carrier connect(int port) {
    return JdkHttpCarrier.connectTuned("localhost", port);
  }
}
