package dev.ferry.cli.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class TimeConverterTest {
  private final TimeConverter converter = new TimeConverter();

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "30s, PT30S",
    "30 S, PT30S",
    "5m, PT5M",
    "5 min, PT5M",
    "1h, PT1H",
    "0, PT0S",
    "0s, PT0S"
  })
  void convert_everyUnit_isRead(String text, Duration time) {
    assertThat(converter.convert(text)).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "30", "-1s", "1.5s", "1d", "s", "9999999999s"})
  void convert_anythingElse_isRefusedByName(String text) {
    assertThatExceptionOfType(TypeConversionException.class)
        .isThrownBy(() -> converter.convert(text))
        .withMessage("'%s' is not a time; give one such as 500ms, 30s, 5m or 1h, or 0", text);
  }
}
