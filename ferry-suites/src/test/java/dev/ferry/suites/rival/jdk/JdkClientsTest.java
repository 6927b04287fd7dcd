package dev.ferry.suites.rival.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Carrier;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.JdkHttpCarrier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JdkClientsTest {
  /** Ferry's own client is another row. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void connect_tunedOrNot_isTheClientOfTheJdk(boolean tuned) {
    try (Carrier carrier = JdkClients.connect("127.0.0.1", 9, HttpProtocol.HTTP_1_1, tuned)) {
      assertThat(carrier).isInstanceOf(JdkHttpCarrier.class);
    }
  }
}
