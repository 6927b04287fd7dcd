package dev.ferry.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ferry.core.Generated;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SummaryTest {
  private static final Offset<Double> CLOSE = within(1e-6);

  @Test
  void of_knownSamples_hasTheFiguresOfTheTextbook() {
    Summary summary = of(2, 4, 4, 4, 5, 5, 7, 9);

    assertThat(summary.mean()).isEqualTo(5);
    assertThat(summary.median()).isEqualTo(4.5);
    assertThat(summary.min()).isEqualTo(2);
    assertThat(summary.max()).isEqualTo(9);
    assertThat(number(summary.stdDev())).isCloseTo(Math.sqrt(32.0 / 7), CLOSE);
    assertThat(summary.error()).isNull();
  }

  @Test
  void of_severalForks_hasTheErrorOfTheirMeans() {
    Summary summary =
        Summary.of(List.of(new double[] {1, 3}, new double[] {4, 4}, new double[] {6}));

    assertThat(summary.n()).isEqualTo(5);
    // Student's t of 2 degrees of freedom at 99.9 %, two-sided, is 31.60 in every table. The means
    // of the forks are 2, 4 and 6.
    assertThat(number(summary.error())).isCloseTo(31.599 * 2 / Math.sqrt(3), within(1e-2));
  }

  @Test
  void of_twoForks_hasNoError() {
    assertThat(Summary.of(List.of(new double[] {84, 86}, new double[] {92, 94})).error()).isNull();
  }

  @Test
  void of_oneSample_hasNoSpread() {
    Summary summary = of(3);

    assertThat(summary.error()).isNull();
    assertThat(summary.stdDev()).isNull();
    assertThat(summary.median()).isEqualTo(3);
  }

  private static double[] samples(Generated input, int most, double greatest) {
    return input.list(3, most, () -> input.between(0.01, greatest)).stream()
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  @Test
  void of_anySamples_staysInsideTheirRange() {
    Generated.check(500, input -> assertStaysInside(samples(input, 60, 1e5)));
  }

  private static void assertStaysInside(double[] samples) {
    Summary summary = thirds(samples);

    double slack = summary.max() * 1e-9;
    assertThat(summary.mean()).isBetween(summary.min() - slack, summary.max() + slack);
    assertThat(summary.median()).isBetween(summary.min(), summary.max());
    assertThat(number(summary.stdDev())).isBetween(0.0, (summary.max() - summary.min()) + slack);
    assertThat(number(summary.error())).isFinite().isNotNegative();
    assertThat(summary.n()).isEqualTo(samples.length);
  }

  @Test
  void of_scaledSamples_scales() {
    Generated.check(500, input -> assertScales(samples(input, 30, 1e4), input.between(0.01, 100)));
  }

  private static void assertScales(double[] samples, double factor) {
    double[] scaled = samples.clone();
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] *= factor;
    }
    Summary before = thirds(samples);
    Summary after = thirds(scaled);

    Offset<Double> slack = within(1e-6 * Math.max(1, after.max()));
    assertThat(after.mean()).isCloseTo(before.mean() * factor, slack);
    assertThat(number(after.error()))
        .isCloseTo(number(before.error()) * factor, within(1e-3 * Math.max(1, after.max())));
  }

  @Test
  void ratioStdDev_ofARowToItself_isTheRootOfTwoTimesItsVariation() {
    Generated.check(
        500,
        input -> {
          Summary summary = thirds(samples(input, 30, 1e4));
          assertThat(number(summary.ratioStdDev(summary)))
              .isCloseTo(Math.sqrt(2) * number(summary.stdDev()) / summary.mean(), CLOSE);
        });
  }

  @Test
  void ratioStdDev_baselineOfNoTime_isNone() {
    Summary zero = of(0, 0);

    assertThat(of(1, 2).ratioStdDev(zero)).isNull();
  }

  private static Summary of(double... fork) {
    return Summary.of(List.of(fork));
  }

  private static Summary thirds(double[] samples) {
    int third = samples.length / 3;
    return Summary.of(
        List.of(
            Arrays.copyOf(samples, third),
            Arrays.copyOfRange(samples, third, 2 * third),
            Arrays.copyOfRange(samples, 2 * third, samples.length)));
  }

  private static double number(@Nullable Double value) {
    return Objects.requireNonNull(value);
  }
}
