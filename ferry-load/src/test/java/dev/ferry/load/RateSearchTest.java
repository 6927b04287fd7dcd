package dev.ferry.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RateSearchTest {
  private static final Limit LIMIT = new Limit(99, 50_000_000);

  /** What a server answers that holds a rate, and nothing above it. */
  private static LoadReport answer(Plan plan, double capacity) {
    Histogram latencies = new Histogram(LoadRecorder.DIGITS);
    latencies.recordValueWithCount(plan.rate() <= capacity ? 1_000_000 : 90_000_000, 100);
    OperationResult get =
        new OperationResult("get", 100, plan.rate(), plan.rate(), 0, 0, Map.of(), latencies);
    WorkerState state = new WorkerState(1, true, Instant.EPOCH, 1, 1, 0, 0, 0, 1, 2, 0.1, null);
    return new LoadReport(plan, state, List.of(get), new Histogram(LoadRecorder.DIGITS));
  }

  @ParameterizedTest
  @ValueSource(doubles = {3, 64, 777, 5_000})
  void highestRate_ofAServer_isFoundToATenth(double capacity) throws Exception {
    Plan plan = ArrivalsPropertyTest.plan(100_000, Plan.Spacing.CONSTANT, 1, 1);

    RateSearch.Result found =
        RateSearch.run(LIMIT, plan, step -> answer(step, capacity), step -> {});

    assertThat(found.highest()).isCloseTo(capacity, within(capacity * 0.1));
    assertThat(found.highest()).isLessThanOrEqualTo(capacity);
    assertThat(LatencyPicture.of(found)).contains("p99=50ms", "highest rate that holds");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 10, 1_000})
  void mostRate_ofThePlan_isNeverExceeded(double most) throws Exception {
    Plan plan = ArrivalsPropertyTest.plan(most, Plan.Spacing.CONSTANT, 1, 1);

    RateSearch.Result found = RateSearch.run(LIMIT, plan, step -> answer(step, 1e9), step -> {});

    assertThat(found.highest()).isEqualTo(most);
    assertThat(found.steps()).allMatch(step -> step.rate() <= most);
    assertThat(found.notes()).singleElement().asString().contains("to be tried (--rate)");
  }
}
