package dev.ferry.http.internal;

import dev.ferry.core.Round;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.http.internal.JdkPeer#roundsWithTls")
final class JdkCarrierTest extends HttpCarrierContract {
  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private Round<HttpPeer> round;

  @Override
  protected Round<HttpPeer> round() {
    return round;
  }
}
