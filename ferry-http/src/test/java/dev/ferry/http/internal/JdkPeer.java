package dev.ferry.http.internal;

import dev.ferry.core.Round;
import java.util.List;
import java.util.stream.Stream;

/** The JDK's client, with each protocol and each way it can be set up. */
final class JdkPeer {
  private static final String JDK = "JDK";

  private static final List<HttpPeer> ALL =
      Stream.of(
              HttpPeer.overBoth(JDK, "plain", JdkHttpCarrier::connectPlain),
              HttpPeer.overBoth(JDK, "tuned", JdkHttpCarrier::connectTuned))
          .flatMap(peers -> peers)
          .toList();

  private JdkPeer() {}

  static Stream<Round<HttpPeer>> rounds() {
    return HttpPeer.rounds(ALL);
  }

  static Stream<Round<HttpPeer>> roundsOfHttp1() {
    return HttpPeer.rounds(HttpPeer.http1(ALL));
  }
}
