package dev.ferry.http.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import java.util.stream.Stream;

/** The JDK's client, with each protocol and each way it can be set up. */
enum JdkPeer implements HttpPeer {
  JDK(HttpProtocol.HTTP_1_1, (host, port) -> JdkHttpCarrier.connect(host, port)),
  JDK_PLAIN(HttpProtocol.HTTP_1_1, (host, port) -> JdkHttpCarrier.connectPlain(host, port)),
  JDK_TUNED(HttpProtocol.HTTP_1_1, (host, port) -> JdkHttpCarrier.connectTuned(host, port)),
  JDK_H2C(
      HttpProtocol.H2C, (host, port) -> JdkHttpCarrier.connectPlain(host, port, HttpProtocol.H2C)),
  JDK_H2C_TUNED(
      HttpProtocol.H2C, (host, port) -> JdkHttpCarrier.connectTuned(host, port, HttpProtocol.H2C));

  private final HttpProtocol protocol;
  private final Connector connector;

  JdkPeer(HttpProtocol protocol, Connector connector) {
    this.protocol = protocol;
    this.connector = connector;
  }

  static Stream<Round<HttpPeer>> rounds() {
    return HttpPeer.rounds(values());
  }

  /** Those that speak HTTP/1.1. */
  static Stream<Round<HttpPeer>> roundsOfHttp1() {
    return HttpPeer.rounds(
        Stream.of(values())
            .filter(peer -> peer.protocol == HttpProtocol.HTTP_1_1)
            .toArray(HttpPeer[]::new));
  }

  @Override
  public HttpProtocol protocol() {
    return protocol;
  }

  @Override
  public Carrier connect(String host, int port) {
    return connector.connect(host, port);
  }
}
