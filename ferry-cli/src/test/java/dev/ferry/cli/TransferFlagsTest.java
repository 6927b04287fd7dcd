package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TransferFlagsTest {
  @Test
  void duration_everyUnit_isRead() {
    assertThat(TransferFlags.duration("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThat(TransferFlags.duration("30s")).isEqualTo(Duration.ofSeconds(30));
    assertThat(TransferFlags.duration("5m")).isEqualTo(Duration.ofMinutes(5));
    assertThat(TransferFlags.duration("1h")).isEqualTo(Duration.ofHours(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "30", "0s", "-1s", "1.5s", "1d", "s", "1 s", "9999999999s"})
  void duration_anythingElse_isRefusedByName(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TransferFlags.duration(text))
        .withMessageContaining("'" + text + "'");
  }
}
