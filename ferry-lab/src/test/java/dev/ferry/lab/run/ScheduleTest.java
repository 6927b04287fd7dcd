package dev.ferry.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Generated;
import dev.ferry.core.Round;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs schedules on a clock that only forks move, so that nothing depends on the machine. */
final class ScheduleTest {
  private static final Duration GUESS = Duration.ofSeconds(7);
  private static final RowFork CEILINGS =
      new RowFork(List.of(RowKey.ceiling(CeilingName.SOCKET_DOWNLOAD, null)));

  private final RunPlan plan = RunPlan.of(List.of(new Directions()), List.of()).withControls();
  private final HandClock clock = new HandClock();
  private final List<Schedule.Step> steps = new ArrayList<>();
  private final Set<RowKey> failed = new HashSet<>();
  private final Set<Schedule.Step> kept = new HashSet<>();
  private Map<RowKey, Integer> undecided = Map.of();
  private Set<RowKey> unbeaten = Set.of();
  private int looks;

  ScheduleTest() throws LabException {}

  /** Two methods that are asked for, the baseline and an aside, in both directions. */
  private static final class Directions extends Suite {
    Directions() {
      super("s", "");
    }

    @Override
    public List<Table> tables() {
      return Stream.of("download", "upload")
          .map(
              name ->
                  new Table(name, List.of(), List.of("A", "B", "Base", "Aside"), "Base")
                      .withAside("Aside"))
          .toList();
    }

    @Override
    public RowSpec row(RowKey key) {
      return new RowSpec(
          key,
          RowSpec.Promise.identity("", 1),
          RowSpec.Work.FILE,
          new RowSpec.Needs(
              List.of(),
              Optional::empty,
              false,
              new RowKey(key.suite(), "", key.method(), key.parameters())),
          RowSpec.Bounds.NONE,
          workplace -> {
            throw new UnsupportedOperationException();
          },
          (workplace, port) -> {
            throw new UnsupportedOperationException();
          });
    }
  }

  /** Runs a schedule to its end. Each fork takes the same time; what was kept takes none. */
  private void run(@Nullable Duration time, Duration fork) {
    List<List<RowFork>> rows = plan.forks(row -> true);
    List<Estimate.ForkEstimate> estimates = new ArrayList<>();
    rows.forEach(
        some -> some.forEach(each -> estimates.add(new Estimate.ForkEstimate(each, "", GUESS))));
    estimates.add(new Estimate.ForkEstimate(CEILINGS, "", GUESS));
    Forecast forecast = new Forecast(estimates, 5, clock);
    Schedule schedule =
        new Schedule(
            plan,
            rows,
            List.of(CEILINGS),
            5,
            forecast,
            time == null ? null : new Schedule.Deadline(clock, time),
            task -> task.keys().stream().anyMatch(key -> !failed.contains(key)),
            kept::contains,
            () -> {
              looks++;
              return new RunLoop.Look(undecided, unbeaten);
            });
    for (Schedule.Step step = schedule.next(); step != null; step = schedule.next()) {
      steps.add(step);
      forecast.begin();
      if (kept.contains(step)) {
        forecast.takeOver(step.fork());
      } else {
        Duration limit = schedule.limit(step.fork());
        long most = limit == null ? Long.MAX_VALUE : limit.toMillis();
        // A shorter warm-up saves three tenths at most.
        clock.move(
            Duration.ofMillis(Math.max(Math.min(fork.toMillis(), most), fork.toMillis() * 7 / 10)));
        forecast.end(step.fork());
      }
      schedule.ended(step);
    }
  }

  private Map<String, Integer> counts() {
    Map<String, Integer> counts = new HashMap<>();
    steps.forEach(step -> counts.merge(method(step.fork()), 1, Integer::sum));
    return counts;
  }

  private static String method(RowFork fork) {
    return fork.isCeiling() ? "ceilings" : fork.first().method();
  }

  @Test
  void next_anyMachine_endsInTimeAndServesTheQuestionFirst() {
    Generated.check(
        Round.times(50, 200),
        input ->
            assertEndsInTimeAndServesTheQuestion(input.between(1, 60), input.between(60, 1_200)));
  }

  private void assertEndsInTimeAndServesTheQuestion(int fork, int time) {
    steps.clear();
    clock.reset();
    run(Duration.ofSeconds(time), Duration.ofSeconds(fork));

    Map<String, Integer> counts = counts();
    // The first forks tell how fast the machine is, and the last one may be shortened too little.
    assertThat(clock.millis())
        .isLessThanOrEqualTo(Math.max(time * 1_000L + fork * 300L, fork * 4_000L));
    assertThat(steps).doesNotHaveDuplicates();
    List<Integer> asked = Stream.of("A", "B", "Base").map(m -> counts.getOrDefault(m, 0)).toList();
    if (fork * 3 * 3 > time) {
      // No fork is spent on anything else.
      assertThat(counts.keySet()).isSubsetOf("A", "B", "Base");
    } else {
      assertThat(asked).allMatch(n -> n >= Criteria.LEAST_FORKS);
    }
    assertThat(asked.stream().max(Integer::compare).orElseThrow())
        .isLessThanOrEqualTo(asked.stream().min(Integer::compare).orElseThrow() + 1);
    for (String extra : List.of("Aside", "Base A/A")) {
      assertThat(counts.getOrDefault(extra, 0)).isLessThanOrEqualTo(Criteria.LEAST_FORKS);
    }
    // What is left is no more than a round.
    assertThat(clock.millis() + 3 * fork * 1_000L).isGreaterThanOrEqualTo(time * 1_000L);
  }

  @Test
  void next_bothDirections_shareAFork() {
    run(Duration.ofSeconds(100), Duration.ofSeconds(5));

    assertThat(steps.get(0).fork().keys())
        .extracting(RowKey::table)
        .containsExactly("download", "upload");
  }

  @Test
  void next_undecidedComparison_getsTheForksItNeedsAndThenAllDo() {
    undecided = Map.of(new RowKey("s", "upload", "B", Map.of()), 2);
    // Question 9, ceilings 1, A/A and aside 6 with the baseline once more, selected 2 x 2, all 3.
    run(Duration.ofSeconds(24 * 10), Duration.ofSeconds(10));

    assertThat(looks).isEqualTo(1);
    assertThat(counts())
        .containsEntry("A", 4)
        .containsEntry("B", 6)
        .containsEntry("Base", 7)
        .containsEntry("Aside", 3)
        .containsEntry("Base A/A", 3)
        .containsEntry("ceilings", 1);
  }

  @Test
  void next_rowsOfWhichOneIsTheFastest_getTheTimeThatIsLeft() {
    unbeaten =
        Set.of(
            new RowKey("s", "upload", "A", Map.of()), new RowKey("s", "download", "B", Map.of()));
    run(Duration.ofSeconds(24 * 10), Duration.ofSeconds(10));

    assertThat(counts()).containsEntry("A", 6).containsEntry("B", 6).containsEntry("Base", 4);
  }

  @Test
  void next_rowsOfWhichOneIsTheFastest_runBesideUndecidedComparisons() {
    unbeaten =
        Set.of(new RowKey("s", "upload", "A", Map.of()), new RowKey("s", "upload", "B", Map.of()));
    undecided = Map.of(new RowKey("s", "upload", "B", Map.of()), 1);
    // As above 17, selected 3, and twice 2.
    run(Duration.ofSeconds(24 * 10), Duration.ofSeconds(10));

    assertThat(counts()).containsEntry("A", 6).containsEntry("B", 6).containsEntry("Base", 5);
  }

  @Test
  void next_aRowThatFails_isNotWaitedFor() {
    failed.add(new RowKey("s", "download", "A", Map.of()));
    failed.add(new RowKey("s", "upload", "A", Map.of()));
    run(Duration.ofSeconds(200), Duration.ofSeconds(10));

    assertThat(counts()).doesNotContainKey("A").containsEntry("Aside", 3);
  }

  @Test
  void next_withoutTime_runsEveryForkInEveryRound() {
    run(null, Duration.ofSeconds(10));

    assertThat(counts())
        .containsEntry("A", 5)
        .containsEntry("Aside", 5)
        .containsEntry("Base A/A", 5)
        .containsEntry("ceilings", 2);
    assertThat(looks).isZero();
  }

  @Test
  void next_resumed_takesEverythingOverThatWasMeasured() {
    run(Duration.ofSeconds(300), Duration.ofSeconds(10));
    List<Schedule.Step> first = List.copyOf(steps);
    kept.addAll(first);
    steps.clear();
    clock.reset();
    run(Duration.ofSeconds(60), Duration.ofSeconds(10));

    assertThat(steps).doesNotHaveDuplicates().containsAll(first);
    assertThat(clock.millis()).isBetween(50_000L, 60_000L);
  }
}
