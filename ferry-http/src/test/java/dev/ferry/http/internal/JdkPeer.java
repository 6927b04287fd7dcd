package dev.ferry.http.internal;

import dev.ferry.core.Round;
import dev.ferry.wire.internal.TestCertificates;
import java.util.List;
import java.util.stream.Stream;

/** The JDK's client, with each protocol and each way it can be set up. */
final class JdkPeer {
  private static final String JDK = "JDK";

  private static final List<HttpPeer> ALL =
      Stream.of(
              HttpPeer.overBoth(
                  JDK,
                  "plain",
                  (host, port, protocol) ->
                      JdkHttpCarrier.connectPlain(host, port, protocol, null)),
              HttpPeer.overBoth(
                  JDK,
                  "tuned",
                  (host, port, protocol) ->
                      JdkHttpCarrier.connectTuned(host, port, protocol, null, null)))
          .flatMap(peers -> peers)
          .toList();

  private static final List<HttpPeer> OVER_TLS =
      Stream.of(
              HttpPeer.overBoth(
                  JDK,
                  "plain",
                  true,
                  (host, port, protocol) ->
                      JdkHttpCarrier.connectPlain(host, port, protocol, TestCertificates.client())),
              HttpPeer.overBoth(
                  JDK,
                  "tuned",
                  true,
                  (host, port, protocol) ->
                      JdkHttpCarrier.connectTuned(
                          host, port, protocol, TestCertificates.client(), null)))
          .flatMap(peers -> peers)
          .toList();

  private JdkPeer() {}

  static Stream<Round<HttpPeer>> roundsWithTls() {
    return HttpPeer.rounds(Stream.of(ALL, OVER_TLS).flatMap(List::stream).toList());
  }

  static Stream<Round<HttpPeer>> rounds() {
    return HttpPeer.rounds(ALL);
  }

  static Stream<Round<HttpPeer>> roundsOfHttp1() {
    return HttpPeer.rounds(HttpPeer.http1(ALL));
  }
}
