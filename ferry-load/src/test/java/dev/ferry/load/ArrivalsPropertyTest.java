package dev.ferry.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

final class ArrivalsPropertyTest {
  private static final double SECONDS = 20;

  static Plan plan(double rate, Plan.Spacing spacing, long seed, int workers) {
    return new Plan(
        rate,
        SECONDS - 1,
        1,
        spacing,
        Shares.parse("get:90,put:10", OperationName::parse),
        Shares.parse("4096:3,8192:1", Long::valueOf),
        seed,
        workers,
        null,
        100,
        1);
  }

  private static List<Arrival> of(Plan plan, int worker) {
    List<Arrival> arrivals = new ArrayList<>();
    new Arrivals(plan, worker).forEachRemaining(arrivals::add);
    return arrivals;
  }

  @Property(tries = 100)
  void shares_ofAllWorkers_areTheWhole(
      @ForAll @DoubleRange(min = 0.5, max = 500) double rate,
      @ForAll Plan.Spacing spacing,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 9) int workers) {
    List<Arrival> together = new ArrayList<>();
    for (int worker = 1; worker <= workers; worker++) {
      together.addAll(of(plan(rate, spacing, seed, workers), worker));
    }
    together.sort(Comparator.comparingLong(Arrival::index));

    assertThat(together).isEqualTo(of(plan(rate, spacing, seed, 1), 1));
  }

  @Property(tries = 50)
  void rate_operationsAndFiles_areThoseOfThePlan(
      @ForAll @DoubleRange(min = 100, max = 2_000) double rate,
      @ForAll Plan.Spacing spacing,
      @ForAll long seed) {
    List<Arrival> arrivals = of(plan(rate, spacing, seed, 1), 1);

    // Six standard deviations: one of a thousand million runs fails by chance.
    double expected = rate * SECONDS;
    double spread = spacing == Plan.Spacing.CONSTANT ? 1 : 6 * Math.sqrt(expected);
    assertThat((double) arrivals.size()).isCloseTo(expected, within(spread));
    assertThat(arrivals).isSortedAccordingTo(Comparator.comparingLong(Arrival::atNanos));
    assertThat(arrivals)
        .allSatisfy(a -> assertThat(a.measured()).isEqualTo(a.atNanos() >= 1_000_000_000L));
    double puts = arrivals.stream().filter(a -> a.operation() == 1).count();
    double large = arrivals.stream().filter(a -> a.file() == 1).count();
    double count = arrivals.size();
    assertThat(puts / count).isCloseTo(0.1, within(6 * Math.sqrt(0.1 * 0.9 / count)));
    assertThat(large / count).isCloseTo(0.25, within(6 * Math.sqrt(0.25 * 0.75 / count)));
  }
}
