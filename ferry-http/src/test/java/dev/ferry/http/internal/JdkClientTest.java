package dev.ferry.http.internal;

import dev.ferry.core.Round;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.http.internal.JdkPeer#rounds")
@ExtendWith(Round.Naming.class)
final class JdkClientTest extends HttpClientContract {
  JdkClientTest(Round<HttpPeer> round) {
    super(round);
  }
}
