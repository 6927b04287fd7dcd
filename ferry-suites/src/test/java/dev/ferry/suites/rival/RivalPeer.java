package dev.ferry.suites.rival;

import dev.ferry.core.Carrier;
import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.HttpPeer;
import dev.ferry.suites.rival.apache.ApacheHttp2Carrier;
import dev.ferry.suites.rival.apache.ApacheHttpCarrier;
import dev.ferry.suites.rival.jetty.JettyHttpCarrier;
import dev.ferry.suites.rival.okhttp.OkHttpCarrier;
import dev.ferry.suites.rival.reactor.ReactorHttpCarrier;
import java.util.stream.Stream;

/** Every HTTP client of a rival, with each protocol and each way it can be set up. */
enum RivalPeer implements HttpPeer {
  APACHE(HttpProtocol.HTTP_1_1, (host, port) -> ApacheHttpCarrier.connect(host, port)),
  APACHE_TUNED(HttpProtocol.HTTP_1_1, (host, port) -> ApacheHttpCarrier.connectTuned(host, port)),
  OKHTTP(
      HttpProtocol.HTTP_1_1,
      (host, port) -> OkHttpCarrier.connect(host, port, HttpProtocol.HTTP_1_1)),
  OKHTTP_TUNED(
      HttpProtocol.HTTP_1_1,
      (host, port) -> OkHttpCarrier.connectTuned(host, port, HttpProtocol.HTTP_1_1)),
  OKHTTP_H2C(HttpProtocol.H2C, (host, port) -> OkHttpCarrier.connect(host, port, HttpProtocol.H2C)),
  OKHTTP_H2C_TUNED(
      HttpProtocol.H2C, (host, port) -> OkHttpCarrier.connectTuned(host, port, HttpProtocol.H2C)),
  JETTY(
      HttpProtocol.HTTP_1_1,
      (host, port) -> JettyHttpCarrier.connect(host, port, HttpProtocol.HTTP_1_1)),
  JETTY_TUNED(
      HttpProtocol.HTTP_1_1,
      (host, port) -> JettyHttpCarrier.connectTuned(host, port, HttpProtocol.HTTP_1_1)),
  JETTY_H2C(
      HttpProtocol.H2C, (host, port) -> JettyHttpCarrier.connect(host, port, HttpProtocol.H2C)),
  JETTY_H2C_TUNED(
      HttpProtocol.H2C,
      (host, port) -> JettyHttpCarrier.connectTuned(host, port, HttpProtocol.H2C)),
  REACTOR(
      HttpProtocol.HTTP_1_1,
      (host, port) -> ReactorHttpCarrier.connect(host, port, HttpProtocol.HTTP_1_1)),
  REACTOR_TUNED(
      HttpProtocol.HTTP_1_1,
      (host, port) -> ReactorHttpCarrier.connectTuned(host, port, HttpProtocol.HTTP_1_1)),
  REACTOR_H2C(
      HttpProtocol.H2C, (host, port) -> ReactorHttpCarrier.connect(host, port, HttpProtocol.H2C)),
  REACTOR_H2C_TUNED(
      HttpProtocol.H2C,
      (host, port) -> ReactorHttpCarrier.connectTuned(host, port, HttpProtocol.H2C)),
  APACHE_H2C(HttpProtocol.H2C, (host, port) -> ApacheHttp2Carrier.connect(host, port)),
  APACHE_H2C_TUNED(HttpProtocol.H2C, (host, port) -> ApacheHttp2Carrier.connectTuned(host, port));

  private final HttpProtocol protocol;
  private final Connector connector;

  RivalPeer(HttpProtocol protocol, Connector connector) {
    this.protocol = protocol;
    this.connector = connector;
  }

  /**
   * All but Apache's client over HTTP/2: after a request that was cancelled before its response, it
   * loses the connection, and with it the next request.
   */
  static Stream<Round<HttpPeer>> rounds() {
    return HttpPeer.rounds(
        Stream.of(values())
            .filter(peer -> peer != APACHE_H2C && peer != APACHE_H2C_TUNED)
            .toArray(HttpPeer[]::new));
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
