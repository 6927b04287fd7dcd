package dev.ferry.lab.run;

import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Plan;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a plan in rounds. A round is one pass over all rows with one fork per row, and rivals run
 * next to each other. The ceilings are measured at the start of the first round and of the third.
 * Used by one thread.
 */
public final class RunLoop {
  /** With one round there is no interval. */
  private static final int LEAST_ROUNDS = 2;

  /**
   * The number of rounds that measure ceilings. Nothing is decided by ceilings, so their time is
   * better spent on forks of rows.
   */
  private static final int CEILING_ROUNDS = 2;

  /** One disturbed fork in this many is replaced, and two in any case. */
  private static final int FORKS_PER_REPLACEMENT = 5;

  private final RunSetup setup;
  private final Plan plan;
  private final Cancellation cancellation;
  private final Measurements measurements;
  private final ForkRunner forks;
  private final Forecast forecast;
  private final @Nullable Deadline deadline;
  private int rounds;
  private int furtherForks;
  private int done;

  /** Creates a loop that has not begun. The time of the request, if it has one, begins now. */
  public RunLoop(RunSetup setup, Cancellation cancellation, Clock clock) {
    this.setup = setup;
    this.plan = setup.request().plan();
    this.cancellation = cancellation;
    Settings settings = setup.request().profile().settings();
    this.rounds = settings.rounds();
    this.forecast =
        new Forecast(
            Estimate.forks(
                plan,
                settings,
                setup.file().bytes(),
                setup.request().network(),
                setup.request().distant()),
            rounds,
            clock);
    setup.ceilings().forEach(fork -> forecast.limit(fork, ceilingRounds(rounds)));
    rows().filter(row -> setup.obstacle(row) != null).forEach(forecast::drop);
    Duration time = setup.request().time();
    this.deadline = time == null ? null : new Deadline(clock, clock.instant().plus(time));
    this.measurements =
        new Measurements(
            setup.folder(), cancellation, 2 + total() / FORKS_PER_REPLACEMENT, setup.processors());
    RunDocument resumed = setup.request().resumed();
    if (resumed != null) {
      resumed.rows().forEach(row -> measurements.takeOver(row.key(), row.disturbed()));
    }
    this.forks = new ForkRunner(setup, measurements, cancellation);
  }

  /** The time at which a run ends. */
  private record Deadline(Clock clock, Instant end) {
    /** Returns whether something of this duration ends in time. */
    boolean allows(Duration duration) {
      return !clock.instant().plus(duration).isAfter(end);
    }

    Duration left() {
      Duration left = Duration.between(clock.instant(), end);
      return left.isNegative() ? Duration.ZERO : left;
    }
  }

  /** Returns what was measured so far. */
  public Measurements measurements() {
    return measurements;
  }

  /** Returns whether every row was run, has failed, or cannot run here, in every round. */
  public boolean complete() {
    return done == total();
  }

  /** Returns how often the run may decide that a comparison needs no further forks. */
  public int looks() {
    return deadline == null ? 1 : 2;
  }

  private int total() {
    return plan.size() * rounds + setup.ceilings().size() * ceilingRounds(rounds) + furtherForks;
  }

  /** Returns in how many of some rounds the ceilings are measured. */
  static int ceilingRounds(int rounds) {
    return Math.min((rounds + 1) / 2, CEILING_ROUNDS);
  }

  private static boolean measuresCeilings(int round) {
    return round % 2 == 0 && round / 2 < CEILING_ROUNDS;
  }

  private Stream<RowKey> rows() {
    return plan.groups().stream().flatMap(g -> g.rows().stream());
  }

  /** Returns how long a round is expected to take. */
  private Duration expected(int round) {
    Stream<?> rows = rows().filter(this::canRun);
    return expected(
        measuresCeilings(round)
            ? Stream.concat(rows, setup.ceilings().stream().filter(this::canRun))
            : rows);
  }

  private Duration expected(Stream<?> some) {
    return some.map(forecast::expected).reduce(Duration.ZERO, Duration::plus);
  }

  private boolean canRun(CeilingFork fork) {
    return measurements.failure(fork.keys()) == null;
  }

  private boolean canRun(RowKey row) {
    return measurements.failure(List.of(row)) == null && setup.obstacle(row) == null;
  }

  /**
   * Runs all forks that can run until cancelled, and then, if time is left, further forks for the
   * comparisons that are not decided. A row that has failed is not run again.
   *
   * @param undecided returns, from what was measured so far, how many further forks a row and its
   *     baseline are expected to need, for each row whose comparison is not decided but can be
   */
  public void run(RunListener listener, Supplier<Map<RowKey, Integer>> undecided)
      throws IOException {
    tellIfTooShort(listener);
    for (int round = 0; round < rounds; round++) {
      if (round >= LEAST_ROUNDS && deadline != null && !deadline.allows(expected(round))) {
        // What time is left may still decide a comparison.
        rounds = round;
        break;
      }
      if (measuresCeilings(round) && !runCeilings(listener, round)) {
        return;
      }
      for (Plan.Group group : plan.groups()) {
        if (!runRows(listener, group, group.inRound(round), round)) {
          return;
        }
        listener.groupEnded(group);
      }
    }
    if (deadline != null) {
      decide(listener, undecided.get(), deadline);
    }
  }

  /** A run that goes on has some of its forks, so it is not judged again. */
  private void tellIfTooShort(RunListener listener) {
    Duration needed =
        IntStream.range(0, Criteria.LEAST_FORKS)
            .mapToObj(this::expected)
            .reduce(Duration.ZERO, Duration::plus);
    boolean enough = deadline == null ? rounds >= Criteria.LEAST_FORKS : deadline.allows(needed);
    if (!enough && rows().anyMatch(this::canRun) && setup.request().resumed() == null) {
      listener.tooShort(needed);
    }
  }

  /**
   * Runs further forks for comparisons that are not decided. Their rows are selected once, so that
   * a run looks at its results twice: here and at its end.
   */
  private void decide(RunListener listener, Map<RowKey, Integer> undecided, Deadline deadline)
      throws IOException {
    Set<RowKey> chosen = FurtherForks.affordable(plan, undecided, forecast, deadline.left());
    // A comparison with a row that has failed cannot be decided any more.
    for (int round = rounds; !chosen.isEmpty() && chosen.stream().allMatch(this::canRun); round++) {
      for (Plan.Group group : plan.groups()) {
        List<RowKey> rows = group.inRound(round).stream().filter(chosen::contains).toList();
        if (!deadline.allows(expected(rows.stream()))) {
          return;
        }
        furtherForks += rows.size();
        if (!runRows(listener, group, rows, round)) {
          return;
        }
      }
    }
  }

  /** Runs one fork of each row that can run. Returns whether the run continues. */
  private boolean runRows(RunListener listener, Plan.Group group, List<RowKey> rows, int round)
      throws IOException {
    for (RowKey row : rows) {
      if (cancellation.isCancelled()) {
        return false;
      }
      boolean measured = false;
      if (canRun(row)) {
        forecast.begin();
        listener.started(row, round, done, total(), left());
        measured = forks.run(group, row, round);
        if (!measured) {
          forecast.takeOver(row);
        }
      }
      if (cancellation.isCancelled()) {
        return false;
      }
      done++;
      String failure = measurements.failure(List.of(row));
      listener.ended(row, done, failure);
      if (measured) {
        learn(row, failure);
      }
    }
    return true;
  }

  /** Runs one fork of each group of ceilings that can run. Returns whether the run continues. */
  private boolean runCeilings(RunListener listener, int round) throws IOException {
    for (CeilingFork fork : setup.ceilings()) {
      if (cancellation.isCancelled()) {
        return false;
      }
      boolean measured = false;
      if (canRun(fork)) {
        forecast.begin();
        listener.ceilingsStarted(fork, round, done, total(), left());
        measured = forks.run(fork, round);
        if (!measured) {
          forecast.takeOver(fork);
        }
      }
      if (cancellation.isCancelled()) {
        return false;
      }
      done++;
      String failure = measurements.failure(fork.keys());
      listener.ceilingsEnded(fork, done, failure);
      if (measured) {
        learn(fork, failure);
      }
    }
    return true;
  }

  /**
   * Updates the forecast. Called after all work for a fork is done, so that the measured time
   * includes it.
   */
  private void learn(Object fork, @Nullable String failure) {
    if (failure == null) {
      forecast.end(fork);
    } else {
      forecast.drop(fork);
    }
  }

  private Duration left() {
    Duration expected = forecast.left();
    return deadline == null || (expected.compareTo(deadline.left()) < 0 && furtherForks == 0)
        ? expected
        : deadline.left();
  }
}
