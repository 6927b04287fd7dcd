package dev.ferry.suites.rival;

import dev.ferry.core.Round;
import dev.ferry.http.internal.HttpFaultsContract;
import dev.ferry.http.internal.HttpPeer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.suites.rival.RivalPeer#roundsOfHttp1")
@ExtendWith(Round.Naming.class)
final class RivalsFaultsTest extends HttpFaultsContract {
  RivalsFaultsTest(Round<HttpPeer> round) {
    super(round);
  }
}
