package dev.ferry.suites.rival;

import dev.ferry.core.Round;
import dev.ferry.http.internal.HttpCarrierContract;
import dev.ferry.http.internal.HttpPeer;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.suites.rival.RivalPeer#roundsOfThoseThatKeepConnections")
@EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
final class RivalsCarrierTest extends HttpCarrierContract {
  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private Round<HttpPeer> round;

  @Override
  protected Round<HttpPeer> round() {
    return round;
  }
}
