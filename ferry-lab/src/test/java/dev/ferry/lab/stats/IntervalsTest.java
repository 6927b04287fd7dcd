package dev.ferry.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.commons.math3.stat.descriptive.rank.Median;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IntervalsTest {
  private static final int RUNS = 2_000;
  private static final int SAMPLES = 12;

  @Test
  void ratio_equalDifferencesInEachRound_isPaired() {
    Interval interval =
        Objects.requireNonNull(
            Intervals.ratio(
                Map.of(0, 2.0, 1, 20.0, 2, 200.0), Map.of(0, 1.0, 1, 10.0, 2, 100.0), true, 0.95));

    assertThat(interval.value()).isCloseTo(2, within(1e-9));
    assertThat(interval.high() - interval.low()).isLessThan(1e-9);
  }

  @Test
  void ratio_oneForkOrNoTime_isUnknown() {
    Map<Integer, Double> two = Map.of(0, 1.0, 1, 1.0);

    assertThat(Intervals.ratio(Map.of(0, 1.0), two, true, 0.95)).isNull();
    assertThat(Intervals.ratio(two, Map.of(0, 0.0, 1, 1.0), true, 0.95)).isNull();
  }

  /**
   * Simulates runs with the variances of real ones: 18 to 33 % within a fork, 6 to 54 % between
   * forks, and a part that both rows of a round share.
   */
  @ParameterizedTest
  @CsvSource({
    "5, 0.06, 0.06, 0.00", "5, 0.06, 0.20, 0.10", "5, 0.20, 0.20, 0.30", "5, 0.54, 0.06, 0.00",
    "3, 0.20, 0.20, 0.10", "8, 0.20, 0.54, 0.10", "12, 0.10, 0.06, 0.20", "8, 0.06, 0.06, 0.00"
  })
  void ratio_runsOfTheSameProgram_coversTheTruthAndSeldomCallsThemDifferent(
      int forks, double spread, double spreadOfBase, double shared) {
    Random random = new Random(forks * 31 + Math.round(1_000 * (spread + spreadOfBase + shared)));
    Criteria criteria = new Criteria(Criteria.DEFAULT_THRESHOLD, null, 1);
    int covered = 0;
    int different = 0;
    for (int i = 0; i < RUNS; i++) {
      Map<Integer, Double> row = new LinkedHashMap<>();
      Map<Integer, Double> base = new LinkedHashMap<>();
      for (int round = 0; round < forks; round++) {
        double machine = shared * random.nextGaussian();
        row.put(round, fork(random, machine, spread));
        base.put(round, fork(random, machine, spreadOfBase));
      }
      Interval interval =
          Objects.requireNonNull(Intervals.ratio(row, base, true, criteria.confidence()));
      covered += interval.low() <= 1 && interval.high() >= 1 ? 1 : 0;
      Verdict verdict = Comparisons.verdict(interval, criteria);
      different += verdict == Verdict.FASTER || verdict == Verdict.SLOWER ? 1 : 0;
    }

    assertThat(covered / (double) RUNS).isBetween(0.92, 0.98);
    assertThat(different / (double) RUNS).isLessThanOrEqualTo(0.05);
  }

  /** Returns the median of a fork whose true time is 10. */
  private static double fork(Random random, double machine, double spread) {
    double fork = machine + spread * random.nextGaussian();
    double[] samples = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      samples[i] = 10 * Math.exp(fork + 0.25 * random.nextGaussian());
    }
    return new Median().evaluate(samples);
  }
}
