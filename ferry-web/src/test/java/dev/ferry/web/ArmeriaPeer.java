package dev.ferry.web;

import dev.ferry.core.Carrier;
import dev.ferry.http.HttpProtocol;

/** Armeria's HTTP client, with each protocol and each way it can be set up. */
enum ArmeriaPeer {
  ARMERIA(HttpProtocol.HTTP_1_1, false),
  ARMERIA_TUNED(HttpProtocol.HTTP_1_1, true),
  ARMERIA_H2C(HttpProtocol.H2C, false),
  ARMERIA_H2C_TUNED(HttpProtocol.H2C, true);

  private final HttpProtocol protocol;
  private final boolean tuned;

  ArmeriaPeer(HttpProtocol protocol, boolean tuned) {
    this.protocol = protocol;
    this.tuned = tuned;
  }

  HttpProtocol protocol() {
    return protocol;
  }

  Carrier connect(int port) {
    return tuned
        ? ArmeriaHttpCarrier.connectTuned("localhost", port, protocol)
        : ArmeriaHttpCarrier.connect("localhost", port, protocol);
  }
}
