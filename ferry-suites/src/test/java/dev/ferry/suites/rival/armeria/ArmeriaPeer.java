package dev.ferry.suites.rival.armeria;

import dev.ferry.core.Carrier;
import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.HttpPeer;
import java.util.stream.Stream;

/** Armeria's HTTP client, with each protocol and each way it can be set up. */
enum ArmeriaPeer implements HttpPeer {
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

  static Stream<Round<HttpPeer>> rounds() {
    return HttpPeer.rounds(values());
  }

  @Override
  public HttpProtocol protocol() {
    return protocol;
  }

  @Override
  public Carrier connect(String host, int port) {
    return tuned
        ? ArmeriaHttpCarrier.connectTuned(host, port, protocol)
        : ArmeriaHttpCarrier.connect(host, port, protocol);
  }
}
