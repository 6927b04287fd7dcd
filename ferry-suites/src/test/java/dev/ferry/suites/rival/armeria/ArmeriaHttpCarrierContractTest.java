package dev.ferry.suites.rival.armeria;

import dev.ferry.core.Round;
import dev.ferry.http.internal.HttpCarrierContract;
import dev.ferry.http.internal.HttpPeer;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The carrier contract for Armeria's HTTP client with the HTTP server. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.suites.rival.armeria.ArmeriaPeer#rounds")
final class ArmeriaHttpCarrierContractTest extends HttpCarrierContract {
  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private Round<HttpPeer> round;

  @Override
  protected Round<HttpPeer> round() {
    return round;
  }
}
