package dev.ferry.http.internal.http1;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.http.internal.HttpPeer;
import dev.ferry.wire.TlsProvider;
import dev.ferry.wire.internal.TestCertificates;
import java.util.List;
import java.util.stream.Stream;

/** The product's client of HTTP/1.1. */
final class Http1Peer {
  private static final HttpPeer PLAIN =
      new HttpPeer(
          "product", false, (host, port) -> Http1Carrier.connect(host, port, "", null, null));

  private static final HttpPeer OVER_TLS =
      new HttpPeer(
          "product",
          true,
          (host, port) -> Http1Carrier.connect(host, port, "", TestCertificates.client(), null));

  private static final HttpPeer OVER_TLS_OF_THE_JDK =
      new HttpPeer(
          "JDK",
          true,
          (host, port) ->
              Http1Carrier.connect(
                  host, port, "", TestCertificates.client().withProvider(TlsProvider.JDK), null));

  /** A client that knows from a response to HEAD that it may send trailer fields. */
  private static final HttpPeer WITH_TRAILERS =
      new HttpPeer(
          "trailers",
          false,
          (host, port) -> asked(Http1Carrier.connect(host, port, "", null, null)));

  private static Carrier asked(Carrier carrier) {
    try {
      FileFacts unused = carrier.stat(StorePath.ROOT, null, CallLimits.DEFAULT);
    } catch (FerryException e) {
      // The test has a server that is not there, or does not serve.
      return carrier;
    }
    return carrier;
  }

  private Http1Peer() {}

  /** One by default: the tests share these clients out among themselves. */
  static Stream<Round<HttpPeer>> roundsWithTls() {
    return Round.shared(List.of(PLAIN, OVER_TLS, OVER_TLS_OF_THE_JDK, WITH_TRAILERS));
  }

  static Stream<Round<HttpPeer>> rounds() {
    return Round.of(List.of(PLAIN), peer -> List.of());
  }
}
