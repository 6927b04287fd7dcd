package dev.ferry.http.internal.http1;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.wire.TlsProvider;
import dev.ferry.wire.internal.TestCertificates;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The client of HTTP/1.1 that the contract of carriers runs with.
 *
 * @param settings what is special about it
 * @param tls whether it speaks TLS, and trusts the certificates of the tests
 * @param connector connects to a port of this machine
 */
record Http1Peer(String settings, boolean tls, IntFunction<Carrier> connector) {
  private static final Http1Peer PLAIN =
      new Http1Peer(
          "product", false, port -> Http1Carrier.connect("localhost", port, "", null, null));

  private static final Http1Peer OVER_TLS =
      new Http1Peer(
          "product",
          true,
          port -> Http1Carrier.connect("localhost", port, "", TestCertificates.client(), null));

  private static final Http1Peer OVER_TLS_OF_THE_JDK =
      new Http1Peer(
          "JDK",
          true,
          port ->
              Http1Carrier.connect(
                  "localhost",
                  port,
                  "",
                  TestCertificates.client().withProvider(TlsProvider.JDK),
                  null));

  /** A client that knows from a response to HEAD that it may send trailer fields. */
  private static final Http1Peer WITH_TRAILERS =
      new Http1Peer(
          "trailers",
          false,
          port -> asked(Http1Carrier.connect("localhost", port, "", null, null)));

  private static Carrier asked(Carrier carrier) {
    try {
      FileFacts unused = carrier.stat(StorePath.ROOT, null, CallLimits.DEFAULT);
    } catch (FerryException e) {
      // The test has a server that is not there, or does not serve.
      return carrier;
    }
    return carrier;
  }

  /** One by default: the tests share these clients out among themselves. */
  static Stream<Round<Http1Peer>> rounds() {
    return Round.shared(List.of(PLAIN, OVER_TLS, OVER_TLS_OF_THE_JDK, WITH_TRAILERS));
  }

  @Override
  public String toString() {
    return settings + (tls ? " TLS" : "");
  }
}
