package dev.ferry.lab.run;

import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.RunPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs the forks of a plan, in the order of its {@link Schedule}. Used by one thread. */
public final class RunLoop {
  /** One disturbed fork in this many is replaced, and two in any case. */
  private static final int FORKS_PER_REPLACEMENT = 5;

  private final RunSetup setup;
  private final RunPlan plan;
  private final Cancellation cancellation;
  private final Clock clock;
  private final List<List<RowFork>> rowForks;
  private final Forecast forecast;
  private final Measurements measurements;
  private final ForkRunner forks;
  private final Schedule.@Nullable Deadline deadline;
  private @Nullable Long minutesForVerdicts;
  private boolean complete;
  private int done;

  /**
   * What a run says before its end.
   *
   * @param undecided how many further forks a row and its baseline are expected to need, for each
   *     row whose comparison is not decided but can be
   * @param unbeaten the rows that no other row of their table and setting is faster than
   */
  public record Look(Map<RowKey, Integer> undecided, Set<RowKey> unbeaten) {}

  /** Keeps the results of a run after each fork. */
  @FunctionalInterface
  public interface AfterFork {
    /** Writes the results so far, and returns them. */
    RunDocument write() throws IOException;
  }

  /** The rivals whose forks run next to each other in a round. */
  private record Pass(Set<RunPlan.Group> groups, int round) {}

  /** Creates a loop that has not begun. The time of the request, if it has one, begins now. */
  public RunLoop(RunSetup setup, Cancellation cancellation, Clock clock) {
    this.setup = setup;
    this.plan = setup.request().plan();
    this.cancellation = cancellation;
    this.clock = clock;
    Settings settings = setup.request().profile().settings();
    boolean shares = setup.request().sharesForks();
    this.rowForks = plan.forks(row -> shares && setup.obstacle(row) == null);
    this.forecast =
        new Forecast(
            Estimate.forks(
                plan,
                rowForks,
                settings,
                setup.file().bytes(),
                setup.request().network(),
                setup.request().distant()),
            settings.rounds(),
            clock);
    setup
        .ceilings()
        .forEach(fork -> forecast.limit(fork, Schedule.ceilingRounds(settings.rounds())));
    Duration time = setup.request().time();
    this.deadline = time == null ? null : new Schedule.Deadline(clock, time);
    this.measurements =
        new Measurements(
            setup.folder(),
            cancellation,
            2 + plan.size() * settings.rounds() / FORKS_PER_REPLACEMENT,
            setup.processors());
    RunDocument resumed = setup.request().resumed();
    if (resumed != null) {
      resumed.rows().forEach(row -> measurements.takeOver(row.key(), row.disturbed()));
      minutesForVerdicts = resumed.minutesForVerdicts();
    }
    this.forks = new ForkRunner(setup, measurements, cancellation);
    rowForks.forEach(some -> some.stream().filter(fork -> !canRun(fork)).forEach(forecast::drop));
  }

  /** Returns what was measured so far. */
  public Measurements measurements() {
    return measurements;
  }

  /** Returns whether the run has come to its end, and was not cancelled. */
  public boolean complete() {
    return complete;
  }

  /** Returns how often the run may decide that a comparison needs no further forks. */
  public int looks() {
    return deadline == null ? 1 : 2;
  }

  /** Returns what it told that the run needs for verdicts; null if it told nothing. */
  public @Nullable Long minutesForVerdicts() {
    return minutesForVerdicts;
  }

  private boolean canRun(RowFork fork) {
    return fork.keys().stream().anyMatch(this::canRun);
  }

  private boolean canRun(RowKey row) {
    return setup.obstacle(row) == null && measurements.failure(List.of(row)) == null;
  }

  /**
   * Runs all forks that can run until the run ends or is cancelled. A row that has failed is not
   * run again.
   *
   * @param afterFork keeps what was measured so far
   * @param atEnd the time that something else needs after the forks
   * @param look returns what was measured so far says
   */
  public void run(RunListener listener, AfterFork afterFork, Duration atEnd, Supplier<Look> look)
      throws IOException {
    if (deadline != null) {
      deadline.move(atEnd.negated());
    }
    Schedule schedule =
        new Schedule(
            plan,
            rowForks,
            setup.ceilings(),
            setup.request().profile().settings().rounds(),
            forecast,
            deadline,
            this::canRun,
            this::isKept,
            look);
    if (deadline == null) {
      tellIfTooFewRounds(listener, schedule);
    }
    long begun = clock.millis();
    boolean told = setup.request().resumed() != null;
    Pass pass = new Pass(Set.of(), 0);
    for (Schedule.Step step = schedule.next(); step != null; step = schedule.next()) {
      pass = pass(listener, pass, step);
      if (!run(listener, afterFork, schedule, step)) {
        return;
      }
      if (deadline != null && !told) {
        told = true;
        tellIfTooShort(listener, schedule, Duration.ofMillis(clock.millis() - begun));
      }
    }
    pass.groups().forEach(listener::groupEnded);
    complete = !cancellation.isCancelled();
  }

  private void tellIfTooFewRounds(RunListener listener, Schedule schedule) {
    boolean few = setup.request().profile().settings().rounds() < Criteria.LEAST_FORKS;
    Duration needed = schedule.lackingTime();
    if (few && !needed.isZero() && setup.request().resumed() == null) {
      tellTooShort(listener, needed);
    }
  }

  private void tellTooShort(RunListener listener, Duration needed) {
    minutesForVerdicts = Profile.minutes(needed);
    listener.tooShort(needed);
  }

  /** Called after the first fork, which has told how fast the machine is. */
  private void tellIfTooShort(RunListener listener, Schedule schedule, Duration elapsed) {
    Duration needed = schedule.lackingTime();
    if (deadline != null && !deadline.allows(schedule.shortest())) {
      tellTooShort(listener, elapsed.plus(needed));
      if (listener.takesLonger(elapsed.plus(needed))) {
        minutesForVerdicts = null;
        deadline.move(needed.minus(deadline.left()));
      }
    }
  }

  /** Returns what a fork belongs to. If it is the first of that, the groups before have ended. */
  private Pass pass(RunListener listener, Pass before, Schedule.Step step) {
    if (step.fork().isCeiling()) {
      return before;
    }
    Set<RunPlan.Group> groups =
        step.fork().keys().stream()
            .map(plan::group)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    Pass pass = new Pass(groups, step.round());
    if (!pass.equals(before)) {
      before.groups().forEach(listener::groupEnded);
    }
    return pass;
  }

  /** Runs a fork. Returns whether the run continues. */
  private boolean run(
      RunListener listener, AfterFork afterFork, Schedule schedule, Schedule.Step step)
      throws IOException {
    if (cancellation.isCancelled()) {
      return false;
    }
    RowFork fork = step.fork();
    RowFork running = new RowFork(fork.keys().stream().filter(this::canRun).toList());
    forecast.begin();
    listener.started(running, step.round(), done, done + schedule.forksLeft(), schedule.left());
    boolean measured =
        forks.run(running, step.round(), schedule.limit(fork), () -> runsAgain(schedule, fork));
    if (cancellation.isCancelled()) {
      return false;
    }
    done++;
    schedule.ended(step);
    String failure = measurements.failure(running.keys());
    listener.soFar(afterFork.write());
    listener.ended(running, done, failure);
    // Called after all work for a fork is done, so that the measured time includes it.
    if (!canRun(fork)) {
      forecast.drop(fork);
    } else if (measured && failure == null) {
      forecast.end(fork);
    } else {
      forecast.takeOver(fork);
    }
    return true;
  }

  /** Another fork that replaces one has a time of its own. */
  private boolean runsAgain(Schedule schedule, RowFork fork) {
    boolean again = schedule.allowsAgain(fork);
    if (again) {
      forecast.begin();
    }
    return again;
  }

  private boolean isKept(Schedule.Step step) {
    return setup.request().resumed() != null
        && step.fork().keys().stream()
            .allMatch(key -> Files.exists(setup.folder().samples(key, step.round())));
  }
}
