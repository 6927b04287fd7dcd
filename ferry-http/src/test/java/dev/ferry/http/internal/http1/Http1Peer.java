package dev.ferry.http.internal.http1;

import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.HttpPeer;
import dev.ferry.net.internal.TestCertificates;
import java.util.List;
import java.util.stream.Stream;

/** The product's client of HTTP/1.1. */
final class Http1Peer {
  private static final HttpPeer PLAIN =
      new HttpPeer(
          "Ferry",
          HttpProtocol.HTTP_1_1,
          "product",
          false,
          (host, port, protocol) -> Http1Carrier.connect(host, port, null, null));

  private static final HttpPeer OVER_TLS =
      new HttpPeer(
          "Ferry",
          HttpProtocol.HTTP_1_1,
          "product",
          true,
          (host, port, protocol) ->
              Http1Carrier.connect(host, port, TestCertificates.client(), null));

  private Http1Peer() {}

  static Stream<Round<HttpPeer>> roundsWithTls() {
    return HttpPeer.rounds(List.of(PLAIN, OVER_TLS));
  }

  static Stream<Round<HttpPeer>> rounds() {
    return HttpPeer.rounds(List.of(PLAIN));
  }
}
