package dev.ferry.suites.rival;

import dev.ferry.core.Round;
import dev.ferry.http.internal.HttpOutageContract;
import dev.ferry.http.internal.HttpPeer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.suites.rival.RivalPeer#roundsOfLibraries")
@ExtendWith(Round.Naming.class)
final class RivalsOutageTest extends HttpOutageContract {
  RivalsOutageTest(Round<HttpPeer> round) {
    super(round);
  }
}
