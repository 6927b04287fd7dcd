package dev.ferry.suites.rival;

import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.HttpPeer;
import dev.ferry.suites.file.HttpRivals;
import dev.ferry.suites.rival.jdk.JdkHttpCarrier;
import dev.ferry.wire.internal.JdkTls;
import dev.ferry.wire.internal.TestCertificates;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Every HTTP client of a rival, with each protocol and each way it can be set up. */
final class RivalPeer {
  private static final String APACHE = "Apache";
  private static final String PLAIN = "plain";
  private static final String TUNED = "tuned";

  private static final List<HttpPeer> ALL =
      Stream.concat(
              HttpRivals.ALL.stream()
                  // The order decides which tests meet which clients.
                  .sorted(Comparator.comparing(rival -> !rival.name().equals(APACHE))),
              Stream.of(HttpRivals.JDK))
          .flatMap(RivalPeer::peers)
          .toList();

  private RivalPeer() {}

  private static Stream<HttpPeer> peers(HttpRival rival) {
    return Stream.concat(overBoth(rival, PLAIN), overBoth(rival, TUNED));
  }

  private static Stream<HttpPeer> overBoth(HttpRival rival, String settings) {
    return HttpPeer.overBoth(
        rival.name(),
        settings,
        (host, port, protocol) ->
            rival.connector().connect(host, port, protocol, settings.equals(TUNED)));
  }

  /** For classes of many tests, which share the peers out among themselves. */
  static Stream<Round<HttpPeer>> rounds() {
    return Round.shared(ALL);
  }

  /**
   * For the contract of all carriers, but for Apache's client over HTTP/2: it closes the connection
   * that all requests share as soon as one of them fails or is cancelled, with all other requests
   * on it. With the client of the JDK over TLS, which has rows. Each test meets each protocol of
   * Ferry's server, the class all peers.
   */
  static Stream<Round<HttpPeer>> roundsOfThoseThatKeepConnections() {
    return Round.of(
        Stream.concat(
                ALL.stream()
                    .filter(
                        peer ->
                            !peer.library().equals(APACHE) || peer.protocol() != HttpProtocol.H2C),
                jdkOverTls())
            .toList(),
        peer -> List.of(peer.protocol()));
  }

  private static Stream<HttpPeer> jdkOverTls() {
    return Stream.of(HttpProtocol.values())
        .map(
            over ->
                new HttpPeer(
                    HttpRivals.JDK.name(),
                    over,
                    TUNED,
                    true,
                    (host, port, protocol) ->
                        new JdkHttpCarrier(
                            host, port, protocol, true, JdkTls.client(TestCertificates.client()))));
  }

  /** For classes of many tests, over HTTP/1.1 alone. */
  static Stream<Round<HttpPeer>> roundsOfHttp1() {
    return Round.shared(HttpPeer.http1(ALL));
  }
}
