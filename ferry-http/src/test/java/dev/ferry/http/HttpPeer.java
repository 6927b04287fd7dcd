package dev.ferry.http;

import dev.ferry.core.Carrier;

/** Every client of this module, with each protocol and each way it can be set up. */
enum HttpPeer {
  JDK(HttpProtocol.HTTP_1_1, port -> JdkHttpCarrier.connect("localhost", port)),
  JDK_PLAIN(HttpProtocol.HTTP_1_1, port -> JdkHttpCarrier.connectPlain("localhost", port)),
  JDK_TUNED(HttpProtocol.HTTP_1_1, port -> JdkHttpCarrier.connectTuned("localhost", port)),
  JDK_H2C(
      HttpProtocol.H2C, port -> JdkHttpCarrier.connectPlain("localhost", port, HttpProtocol.H2C)),
  JDK_H2C_TUNED(
      HttpProtocol.H2C, port -> JdkHttpCarrier.connectTuned("localhost", port, HttpProtocol.H2C)),
  APACHE(HttpProtocol.HTTP_1_1, port -> ApacheHttpCarrier.connect("localhost", port)),
  APACHE_TUNED(HttpProtocol.HTTP_1_1, port -> ApacheHttpCarrier.connectTuned("localhost", port)),
  OKHTTP(
      HttpProtocol.HTTP_1_1,
      port -> OkHttpCarrier.connect("localhost", port, HttpProtocol.HTTP_1_1)),
  OKHTTP_TUNED(
      HttpProtocol.HTTP_1_1,
      port -> OkHttpCarrier.connectTuned("localhost", port, HttpProtocol.HTTP_1_1)),
  OKHTTP_H2C(HttpProtocol.H2C, port -> OkHttpCarrier.connect("localhost", port, HttpProtocol.H2C)),
  OKHTTP_H2C_TUNED(
      HttpProtocol.H2C, port -> OkHttpCarrier.connectTuned("localhost", port, HttpProtocol.H2C)),
  JETTY(
      HttpProtocol.HTTP_1_1,
      port -> JettyHttpCarrier.connect("localhost", port, HttpProtocol.HTTP_1_1)),
  JETTY_TUNED(
      HttpProtocol.HTTP_1_1,
      port -> JettyHttpCarrier.connectTuned("localhost", port, HttpProtocol.HTTP_1_1)),
  JETTY_H2C(
      HttpProtocol.H2C, port -> JettyHttpCarrier.connect("localhost", port, HttpProtocol.H2C)),
  JETTY_H2C_TUNED(
      HttpProtocol.H2C, port -> JettyHttpCarrier.connectTuned("localhost", port, HttpProtocol.H2C)),
  REACTOR(
      HttpProtocol.HTTP_1_1,
      port -> ReactorHttpCarrier.connect("localhost", port, HttpProtocol.HTTP_1_1)),
  REACTOR_TUNED(
      HttpProtocol.HTTP_1_1,
      port -> ReactorHttpCarrier.connectTuned("localhost", port, HttpProtocol.HTTP_1_1)),
  REACTOR_H2C(
      HttpProtocol.H2C, port -> ReactorHttpCarrier.connect("localhost", port, HttpProtocol.H2C)),
  REACTOR_H2C_TUNED(
      HttpProtocol.H2C,
      port -> ReactorHttpCarrier.connectTuned("localhost", port, HttpProtocol.H2C)),
  APACHE_H2C(HttpProtocol.H2C, port -> ApacheHttp2Carrier.connect("localhost", port)),
  APACHE_H2C_TUNED(HttpProtocol.H2C, port -> ApacheHttp2Carrier.connectTuned("localhost", port));

  /** Makes a client of the server on a port of this machine. */
  @FunctionalInterface
  private interface Connector {
    Carrier connect(int port);
  }

  private final HttpProtocol protocol;
  private final Connector connector;

  HttpPeer(HttpProtocol protocol, Connector connector) {
    this.protocol = protocol;
    this.connector = connector;
  }

  /** What it speaks with a server that can. */
  HttpProtocol protocol() {
    return protocol;
  }

  Carrier connect(int port) {
    return connector.connect(port);
  }
}
