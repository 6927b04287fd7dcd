package dev.ferry.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ferry.core.Generated;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

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

  @Test
  void shares_ofAllWorkers_areTheWhole() {
    Generated.check(
        100,
        input ->
            assertAreTheWhole(
                input.between(0.5, 500),
                input.of(Plan.Spacing.class),
                input.anyLong(),
                input.between(1, 9)));
  }

  private static void assertAreTheWhole(double rate, Plan.Spacing spacing, long seed, int workers) {
    List<Arrival> together = new ArrayList<>();
    for (int worker = 1; worker <= workers; worker++) {
      together.addAll(of(plan(rate, spacing, seed, workers), worker));
    }
    together.sort(Comparator.comparingLong(Arrival::index));

    assertThat(together).isEqualTo(of(plan(rate, spacing, seed, 1), 1));
  }

  @Test
  void rate_operationsAndFiles_areThoseOfThePlan() {
    Generated.check(
        50,
        input ->
            assertAreThoseOfThePlan(
                input.between(100, 2_000.0), input.of(Plan.Spacing.class), input.anyLong()));
  }

  private static void assertAreThoseOfThePlan(double rate, Plan.Spacing spacing, long seed) {
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
