package dev.ferry.suites.rival;

import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.HttpPeer;
import dev.ferry.suites.rival.apache.ApacheHttp2Carrier;
import dev.ferry.suites.rival.apache.ApacheHttpCarrier;
import dev.ferry.suites.rival.armeria.ArmeriaHttpCarrier;
import dev.ferry.suites.rival.jetty.JettyHttpCarrier;
import dev.ferry.suites.rival.okhttp.OkHttpCarrier;
import dev.ferry.suites.rival.reactor.ReactorHttpCarrier;
import java.util.List;
import java.util.stream.Stream;

/** Every HTTP client of a rival, with each protocol and each way it can be set up. */
final class RivalPeer {
  private static final String APACHE = "Apache";
  private static final String PLAIN = "plain";
  private static final String TUNED = "tuned";

  private static final List<HttpPeer> ALL =
      Stream.of(
              HttpPeer.overBoth(
                  APACHE,
                  PLAIN,
                  (host, port, protocol) ->
                      protocol == HttpProtocol.H2C
                          ? ApacheHttp2Carrier.connect(host, port)
                          : ApacheHttpCarrier.connect(host, port)),
              HttpPeer.overBoth(
                  APACHE,
                  TUNED,
                  (host, port, protocol) ->
                      protocol == HttpProtocol.H2C
                          ? ApacheHttp2Carrier.connectTuned(host, port)
                          : ApacheHttpCarrier.connectTuned(host, port)),
              HttpPeer.overBoth("OkHttp", PLAIN, OkHttpCarrier::connect),
              HttpPeer.overBoth("OkHttp", TUNED, OkHttpCarrier::connectTuned),
              HttpPeer.overBoth("Jetty", PLAIN, JettyHttpCarrier::connect),
              HttpPeer.overBoth("Jetty", TUNED, JettyHttpCarrier::connectTuned),
              HttpPeer.overBoth("Reactor", PLAIN, ReactorHttpCarrier::connect),
              HttpPeer.overBoth("Reactor", TUNED, ReactorHttpCarrier::connectTuned),
              HttpPeer.overBoth("Armeria", PLAIN, ArmeriaHttpCarrier::connect),
              HttpPeer.overBoth("Armeria", TUNED, ArmeriaHttpCarrier::connectTuned))
          .flatMap(peers -> peers)
          .toList();

  private RivalPeer() {}

  /** For classes of many tests: each test meets each protocol and settings, the class all peers. */
  static Stream<Round<HttpPeer>> rounds() {
    return Round.of(ALL, peer -> List.of(peer.protocol(), peer.settings()));
  }

  /**
   * The same but for Apache's client over HTTP/2: it closes the connection that all requests share
   * as soon as one of them fails or is cancelled, whatever else is under way on it.
   */
  static Stream<Round<HttpPeer>> roundsOfThoseThatKeepConnections() {
    return Round.of(
        ALL.stream()
            .filter(peer -> !peer.library().equals(APACHE) || peer.protocol() != HttpProtocol.H2C)
            .toList(),
        peer -> List.of(peer.protocol(), peer.settings()));
  }

  /** For classes of few tests: each of them meets each library, protocol and settings. */
  static Stream<Round<HttpPeer>> roundsOfLibraries() {
    return HttpPeer.rounds(ALL);
  }

  /** For classes of many tests, over HTTP/1.1 alone. */
  static Stream<Round<HttpPeer>> roundsOfHttp1() {
    return Round.of(HttpPeer.http1(ALL), peer -> List.of(peer.settings()));
  }
}
