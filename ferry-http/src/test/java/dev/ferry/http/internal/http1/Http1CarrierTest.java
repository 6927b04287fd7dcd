package dev.ferry.http.internal.http1;

import dev.ferry.core.Round;
import dev.ferry.http.internal.HttpCarrierContract;
import dev.ferry.http.internal.HttpPeer;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.http.internal.http1.Http1Peer#roundsWithTls")
final class Http1CarrierTest extends HttpCarrierContract {
  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private Round<HttpPeer> round;

  @Override
  protected Round<HttpPeer> round() {
    return round;
  }

  /** More than the pipeline sends ahead. */
  @Override
  protected int batchFiles() {
    return 300;
  }
}
