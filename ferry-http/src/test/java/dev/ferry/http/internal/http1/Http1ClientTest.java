package dev.ferry.http.internal.http1;

import dev.ferry.core.Round;
import dev.ferry.http.internal.HttpClientContract;
import dev.ferry.http.internal.HttpPeer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.http.internal.http1.Http1Peer#rounds")
@ExtendWith(Round.Naming.class)
final class Http1ClientTest extends HttpClientContract {
  Http1ClientTest(Round<HttpPeer> round) {
    super(round);
  }
}
