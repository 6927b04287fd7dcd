package dev.ferry.suites.rival;

import dev.ferry.core.Round;
import dev.ferry.http.internal.HttpClientContract;
import dev.ferry.http.internal.HttpPeer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.suites.rival.RivalPeer#rounds")
@ExtendWith(Round.Naming.class)
final class RivalsClientTest extends HttpClientContract {
  RivalsClientTest(Round<HttpPeer> round) {
    super(round);
  }
}
