package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.CarrierContract;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.TlsProvider;
import dev.ferry.wire.internal.TestCertificates;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The carrier contract in plain text and over TLS. By default the tests share plain text and the
 * providers of TLS out among themselves.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("rounds")
class GrpcCarrierTest extends CarrierContract {
  /**
   * What a connection is secured by.
   *
   * @param tls null for plain text
   */
  private record Security(@Nullable TlsProvider tls) {
    @Override
    public String toString() {
      return tls == null ? "plain text" : "TLS by " + tls;
    }
  }

  @Parameter
  @SuppressWarnings("NullAway.Init")
  private Round<Security> round;

  private Security security = new Security(null);

  static Stream<Round<Security>> rounds() {
    return Round.shared(
        Stream.concat(
                Stream.of(new Security(null)), Stream.of(TlsProvider.values()).map(Security::new))
            .toList());
  }

  @Override
  protected Object configure(TestInfo test) {
    security = round.configuration(test);
    return security;
  }

  @Override
  protected Fixture open(FileStore store) throws Exception {
    TlsProvider tls = security.tls();
    ServerSettings settings = ServerSettings.defaults();
    return new SocketFixture(
        store,
        tls == null
            ? settings
            : settings.withTls(
                TestCertificates.server(TestCertificates.loopback()).withProvider(tls)),
        tls == null ? null : TestCertificates.client().withProvider(tls));
  }

  @Test
  void closed_carrier_isUnavailable() {
    GrpcCarrier carrier = GrpcCarrier.connect("127.0.0.1", 1, GrpcSetup.ofClient(), null, null);
    carrier.close();
    FerryException failure =
        catchThrowableOfType(FerryException.class, () -> carrier.list(StorePath.ROOT));
    assertThat(failure.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
    assertThat(failure).hasMessage("the client of 127.0.0.1:1 is closed");
  }
}
