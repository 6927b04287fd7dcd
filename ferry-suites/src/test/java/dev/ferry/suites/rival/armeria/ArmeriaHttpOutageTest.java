package dev.ferry.suites.rival.armeria;

import dev.ferry.core.Round;
import dev.ferry.http.internal.HttpOutageContract;
import dev.ferry.http.internal.HttpPeer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that cannot be reached, fall silent or go away, for Armeria's HTTP client. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.suites.rival.armeria.ArmeriaPeer#rounds")
@ExtendWith(Round.Naming.class)
final class ArmeriaHttpOutageTest extends HttpOutageContract {
  ArmeriaHttpOutageTest(Round<HttpPeer> round) {
    super(round);
  }
}
