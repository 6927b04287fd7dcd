package dev.ferry.http;

import dev.ferry.core.Carrier;
import dev.ferry.core.Round;
import java.util.List;
import java.util.stream.Stream;

/** Every client of this module, with each protocol and each way it can be set up. */
enum HttpPeer {
  JDK(HttpProtocol.HTTP_1_1, (host, port) -> JdkHttpCarrier.connect(host, port)),
  JDK_PLAIN(HttpProtocol.HTTP_1_1, (host, port) -> JdkHttpCarrier.connectPlain(host, port)),
  JDK_TUNED(HttpProtocol.HTTP_1_1, (host, port) -> JdkHttpCarrier.connectTuned(host, port)),
  JDK_H2C(
      HttpProtocol.H2C, (host, port) -> JdkHttpCarrier.connectPlain(host, port, HttpProtocol.H2C)),
  JDK_H2C_TUNED(
      HttpProtocol.H2C, (host, port) -> JdkHttpCarrier.connectTuned(host, port, HttpProtocol.H2C)),
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

  /** Makes a client of a server. */
  @FunctionalInterface
  private interface Connector {
    Carrier connect(String host, int port);
  }

  private final HttpProtocol protocol;
  private final Connector connector;

  HttpPeer(HttpProtocol protocol, Connector connector) {
    this.protocol = protocol;
    this.connector = connector;
  }

  /** To choose from when not every test can run with each of them. */
  static Stream<Round<HttpPeer>> rounds() {
    return Round.of(List.of(values()), HttpPeer::options);
  }

  /** Those that speak HTTP/1.1. */
  static Stream<Round<HttpPeer>> roundsOfHttp1() {
    return Round.of(
        Stream.of(values()).filter(peer -> peer.protocol == HttpProtocol.HTTP_1_1).toList(),
        HttpPeer::options);
  }

  /** Library, protocol and settings; those of {@link #JDK} are the product's. */
  private List<?> options() {
    String library = name().replaceFirst("_.*", "");
    String settings = name().endsWith("_TUNED") ? "tuned" : this == JDK ? "product" : "plain";
    return List.of(library, protocol, settings);
  }

  /** What it speaks with a server that can. */
  HttpProtocol protocol() {
    return protocol;
  }

  /** A client of the server on a port of this machine. */
  Carrier connect(int port) {
    return connect("localhost", port);
  }

  Carrier connect(String host, int port) {
    return connector.connect(host, port);
  }
}
