package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.Carrier;
import dev.ferry.core.CarrierContract;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The carrier contract for gRPC-Web in each format over each protocol, with and without TLS. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.web.internal.WebPeer#roundsWithTls")
class WebCarrierTest extends CarrierContract {
  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private Round<WebPeer> round;

  @SuppressWarnings("NullAway.Init") // Chosen before each test.
  private WebPeer peer;

  @Override
  protected Object configure(TestInfo test) {
    peer = round.configuration(test);
    return peer;
  }

  @Override
  protected Fixture open(FileStore store) throws FerryException {
    WebPeer chosen = peer;
    return new Pair(store, chosen.settings(), port -> chosen.connect("127.0.0.1", port));
  }

  @Test
  void closed_carrier_isUnavailable() {
    Carrier carrier = peer.connect("127.0.0.1", 1);
    carrier.close();
    FerryException failure =
        catchThrowableOfType(FerryException.class, () -> carrier.list(StorePath.ROOT));
    assertThat(failure.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
  }
}
