package dev.ferry.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ferry.core.Generated;
import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FigureTest {
  private static final List<Locale> CULTURES =
      List.of("en-US", "de-DE", "de-CH", "fr-FR", "ru-RU", "en-IN", "pt-BR", "sv-SE").stream()
          .map(Locale::forLanguageTag)
          .toList();

  @Test
  void parse_numberOfAnyCulture_isItsValue() {
    Generated.check(
        1000,
        input -> assertIsItsValue(input.between(0, 7), input.between(0, 1e9), input.between(1, 4)));
  }

  private static void assertIsItsValue(int culture, double value, int digits) {
    NumberFormat format = NumberFormat.getInstance(CULTURES.get(culture));
    format.setMinimumFractionDigits(digits);
    format.setMaximumFractionDigits(digits);
    // The reader has made plain spaces of those that cultures have.
    String cell = format.format(value).replaceAll("[\u00a0\u202f]", " ") + " us";
    char decimal = Set.of(0, 2, 5).contains(culture) ? '.' : ',';

    Figure figure = Objects.requireNonNull(Figure.parse(cell, "", decimal));

    assertThat(Figure.decimals(List.of(cell))).contains(decimal);
    assertThat(Math.abs(figure.value() - 1000 * value))
        .isLessThanOrEqualTo(figure.rounding() * 1.001);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1.25; 1.25; 0.005",
        "1.25x slower; 1.25; 0.005",
        "1.25x more; 1.25; 0.005",
        "1.25x; 1.25; 0.005",
        "2.00x faster; 0.5; 0.00125",
        "2.00x less; 0.5; 0.00125",
        "+1,234%; 13.34; 0.005",
        "-85.5%; 0.145; 0.0005",
        "\u221285.5%; 0.145; 0.0005",
        "2.00\u00d7 faster (half the time); 0.5; 0.00125",
        "~1.25 \u00b1 0.10; 1.25; 0.005",
      })
  void parseRatio_anyStyle_isTheQuotient(String cell, double value, double rounding) {
    Figure ratio = Objects.requireNonNull(Figure.parseRatio(cell, '.'));

    assertThat(ratio.value()).isCloseTo(value, within(1e-12));
    assertThat(ratio.rounding()).isCloseTo(rounding, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1.5 parsec",
        "1,5 ms",
        "12,34.5 ms",
        "1.5.5 ms",
        "fast",
        "1.5x slower",
        "+5 ms",
        "ms",
        "1.5 ms ms",
        "1.5 (ms)",
        "1.5 \u00b1 0.1 ms",
      })
  void parse_noFigure_isNull(String cell) {
    assertThat(Figure.parse(cell, "", '.')).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5 ms (fastest)", "~1.5 ms", "1.5 ms \u00b1 0.1 ms", "\u00b1 1.5ms"})
  void parse_figureWithARemark_isTheFigure(String cell) {
    assertThat(Figure.parse(cell, "", '.')).isEqualTo(new Figure(1.5e6, 5e4));
  }
}
