package dev.ferry.lab.run;

import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RunPlan;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects the next fork of a run. Forks come in rounds: in a round no fork runs twice, and rivals
 * run next to each other, in an order that changes from round to round.
 *
 * <p>A run without a time limit has a fixed number of rounds of all forks. A run with one ends in
 * its time on any machine, since each fork has to be affordable by the times of the forks before
 * it:
 *
 * <ol>
 *   <li>each row that the question is about gets the {@link Criteria#LEAST_FORKS} forks of a
 *       verdict;
 *   <li>ceilings, A/A rows and asides join as soon as this leaves enough time for the first item. A
 *       row begins only if three of its forks are expected to fit;
 *   <li>the remaining time goes to the rows of which one is the fastest, together with comparisons
 *       that are not decided but can be; to all rows of the question if neither exists. They are
 *       selected once, so that the run looks at its results twice: then and at its end.
 * </ol>
 *
 * <p>Used by one thread.
 */
final class Schedule {
  /**
   * The number of rounds that measure ceilings in a run without a time limit. Nothing is decided by
   * ceilings, so their time is better spent on forks of rows.
   */
  private static final int CEILING_ROUNDS = 2;

  /** The part of its expected time in which a fork can be done with a shorter warm-up. */
  private static final double SHORTEST = 0.7;

  private final RunPlan plan;
  private final List<List<RowFork>> rows;
  private final List<RowFork> ceilings;
  private final int rounds;
  private final Forecast forecast;
  private final @Nullable Deadline deadline;
  private final Predicate<RowFork> canRun;
  private final Predicate<Step> kept;
  private final Supplier<RunLoop.Look> look;
  private final Set<Step> ended = new HashSet<>();
  private final Queue<Step> queue = new ArrayDeque<>();
  private @Nullable Selection selected;
  private int round;

  /** Whether the rows of the question have the forks of a verdict, or no time for them is left. */
  private boolean served;

  private boolean begun;

  /**
   * A fork to run.
   *
   * @param fork what it measures
   * @param round the round, from 0
   */
  record Step(RowFork fork, int round) {}

  /**
   * The forks for the remaining time.
   *
   * @param undecided those for comparisons that are not decided, with the rows of which one is the
   *     fastest
   * @param rounds in how many rounds they are to run
   * @param then those that run after them
   */
  private record Selection(Set<RowFork> undecided, int rounds, Set<RowFork> then) {}

  /** The time at which a run ends. */
  static final class Deadline {
    private final Clock clock;
    private Instant end;

    Deadline(Clock clock, Duration time) {
      this.clock = clock;
      this.end = clock.instant().plus(time);
    }

    boolean allows(Duration duration) {
      return duration.compareTo(left()) <= 0;
    }

    Duration left() {
      Duration left = Duration.between(clock.instant(), end);
      return left.isNegative() ? Duration.ZERO : left;
    }

    /** Moves the end. */
    void move(Duration by) {
      end = end.plus(by);
    }
  }

  /**
   * Creates a schedule that has not begun.
   *
   * @param rows the forks of rows, by setting
   * @param rounds the number of rounds if there is no deadline
   * @param canRun whether a fork has something to measure that has not failed
   * @param kept whether an earlier start of the run has measured a fork
   * @param look returns what was measured so far says
   */
  Schedule(
      RunPlan plan,
      List<List<RowFork>> rows,
      List<RowFork> ceilings,
      int rounds,
      Forecast forecast,
      @Nullable Deadline deadline,
      Predicate<RowFork> canRun,
      Predicate<Step> kept,
      Supplier<RunLoop.Look> look) {
    this.plan = plan;
    this.rows = rows;
    this.ceilings = ceilings;
    this.rounds = rounds;
    this.forecast = forecast;
    this.deadline = deadline;
    this.canRun = canRun;
    this.kept = kept;
    this.look = look;
  }

  /** Returns the next fork; null if the run ends. */
  @Nullable Step next() {
    while (true) {
      while (queue.isEmpty()) {
        if (!(deadline == null ? addRound() : addInTime(deadline))) {
          return null;
        }
      }
      Step step = queue.remove();
      if (canRun.test(step.fork()) && isAffordable(step)) {
        begun = true;
        return step;
      }
    }
  }

  /**
   * Whatever the estimate says, the first fork runs: it tells how fast the machine is. A fork that
   * the question lacks may end sooner than those before it, see {@link #limit}.
   */
  private boolean isAffordable(Step step) {
    if (deadline == null || !begun || kept.test(step)) {
      return true;
    }
    double part = isAsked(step.fork()) && missing(step.fork()) > 0 ? SHORTEST : 1;
    return deadline.allows(
        Duration.ofMillis(Math.round(part * forecast.expected(step.fork()).toMillis())));
  }

  /** Records that a fork has ended. */
  void ended(Step step) {
    ended.add(step);
  }

  /** Returns in how many of some rounds the ceilings are measured if there is no deadline. */
  static int ceilingRounds(int rounds) {
    return Math.min((rounds + 1) / 2, CEILING_ROUNDS);
  }

  private boolean addRound() {
    if (round == rounds) {
      return false;
    }
    if (ceilingRounds(round + 1) > ceilingRounds(round)) {
      add(ceilings);
    }
    add(rotated(fork -> true));
    round++;
    return true;
  }

  private boolean addInTime(Deadline deadline) {
    Set<RowFork> some = new LinkedHashSet<>();
    if (!served) {
      lacking().forEach(some::add);
      served = !anyFits(some);
    }
    // The first round tells how fast the machine is.
    List<RowFork> extras = round == 0 && !served ? List.of() : extras(deadline);
    if (served && extras.isEmpty()) {
      some.addAll(further(deadline));
    } else if (!extras.isEmpty()) {
      some.addAll(extras);
      // Rows of a table are compared with its baseline, so it runs next to them.
      rotated(fork -> extras.contains(fork)).forEach(fork -> some.addAll(baselines(fork)));
    }
    add(ceilings.stream().filter(some::contains).toList());
    add(rotated(some::contains));
    addKept();
    round++;
    return !queue.isEmpty();
  }

  private Set<RowFork> baselines(RowFork fork) {
    return forks(
        fork.keys().stream()
            .map(row -> row.withMethod(plan.group(row).baseline()))
            .toArray(RowKey[]::new));
  }

  private boolean anyFits(Collection<RowFork> forks) {
    return forks.stream()
        .anyMatch(fork -> canRun.test(fork) && isAffordable(new Step(fork, round)));
  }

  private void add(Collection<RowFork> forks) {
    forks.forEach(fork -> queue.add(new Step(fork, round)));
  }

  /** What an earlier start has measured costs no time, whatever its reason was. */
  private void addKept() {
    Stream.concat(rows.stream().flatMap(List::stream), ceilings.stream())
        .map(fork -> new Step(fork, round))
        .filter(step -> kept.test(step) && !ended.contains(step) && !queue.contains(step))
        .forEach(queue::add);
  }

  /** Returns some forks of rows in the order of the current round. */
  private List<RowFork> rotated(Predicate<RowFork> some) {
    List<RowFork> all = new ArrayList<>();
    for (List<RowFork> rivals : rows) {
      List<RowFork> rotated = new ArrayList<>(rivals.stream().filter(some).toList());
      Collections.rotate(rotated, -round);
      all.addAll(rotated);
    }
    return all;
  }

  private boolean isAsked(RowFork fork) {
    return !fork.isCeiling() && fork.keys().stream().anyMatch(row -> plan.group(row).asks(row));
  }

  /** Returns the forks that rows of the question lack for a verdict, one by one. */
  private Stream<RowFork> lacking() {
    return served
        ? Stream.empty()
        : rotated(this::isAsked).stream()
            .filter(canRun)
            .flatMap(fork -> Collections.nCopies(missing(fork), fork).stream());
  }

  private int missing(RowFork fork) {
    int wanted = fork.isCeiling() ? 1 : Criteria.LEAST_FORKS;
    long had = ended.stream().filter(step -> step.fork().equals(fork)).count();
    return Math.max(0, wanted - (int) had);
  }

  /** Returns how long the forks take that rows of the question lack for a verdict. */
  Duration lackingTime() {
    return expected(lacking());
  }

  private Duration expected(Stream<RowFork> forks) {
    return forks.map(forecast::expected).reduce(Duration.ZERO, Duration::plus);
  }

  /**
   * Returns what can be measured in this round beside the question: each with all that it lacks.
   */
  private List<RowFork> extras(Deadline deadline) {
    List<RowFork> candidates = new ArrayList<>(ceilings);
    List<RowFork> asides = rotated(fork -> !isAsked(fork));
    asides.stream().filter(Schedule::isControl).forEach(candidates::add);
    asides.stream().filter(fork -> !isControl(fork)).forEach(candidates::add);
    List<RowFork> extras = new ArrayList<>();
    // What has not run yet may take longer than expected, and its baseline may run beside it.
    Duration reserve =
        rotated(this::isAsked).stream()
            .map(forecast::expected)
            .max(Duration::compareTo)
            .orElse(Duration.ZERO);
    Duration cost = lackingTime().plus(reserve);
    for (RowFork fork : candidates) {
      Duration more = cost.plus(forecast.expected(fork).multipliedBy(missing(fork)));
      if (missing(fork) > 0 && canRun.test(fork) && deadline.allows(more)) {
        extras.add(fork);
        cost = more;
      }
    }
    return extras;
  }

  private static boolean isControl(RowFork fork) {
    return fork.first().isControl();
  }

  /** Returns a round that fits the time as a whole, so that its forks can be compared by pairs. */
  private List<RowFork> further(Deadline deadline) {
    Selection selection = selected;
    if (selection == null) {
      selection = select(deadline);
    }
    selected = new Selection(selection.undecided(), selection.rounds() - 1, selection.then());
    List<RowFork> forks = selection.rounds() > 0 ? runnable(selection.undecided()) : List.of();
    if (forks.isEmpty() || !deadline.allows(expected(forks.stream()))) {
      forks = runnable(selection.then());
    }
    return deadline.allows(expected(forks.stream())) ? forks : List.of();
  }

  private List<RowFork> runnable(Set<RowFork> some) {
    return rotated(some::contains).stream().filter(canRun).toList();
  }

  /**
   * Selects the comparisons that can be decided in time, those first that need the fewest forks.
   * The rows of which one is the fastest run beside them in each round, since the answer names
   * them.
   */
  private Selection select(Deadline deadline) {
    RunLoop.Look seen = look.get();
    List<RowFork> asked = rotated(this::isAsked);
    Set<RowFork> rivals = forks(seen.unbeaten().toArray(RowKey[]::new));
    rivals.retainAll(asked);
    if (rivals.size() < 2) {
      rivals = Set.of();
    }
    Set<RowFork> chosen = new LinkedHashSet<>(rivals);
    int most = 0;
    for (Map.Entry<RowKey, Integer> next :
        seen.undecided().entrySet().stream().sorted(Map.Entry.comparingByValue()).toList()) {
      RowKey row = next.getKey();
      RunPlan.Group group = plan.group(row);
      Set<RowFork> more = forks(row, row.withMethod(group.baseline()));
      // A comparison with a row that has failed cannot be decided any more.
      if (group.asks(row) && more.stream().allMatch(canRun)) {
        more.addAll(chosen);
        if (deadline.allows(expected(more.stream()).multipliedBy(next.getValue()))) {
          chosen = more;
          most = next.getValue();
        }
      }
    }
    return new Selection(chosen, most, rivals.isEmpty() ? Set.copyOf(asked) : rivals);
  }

  private Set<RowFork> forks(RowKey... some) {
    Set<RowFork> forks = new LinkedHashSet<>();
    for (RowKey row : some) {
      rows.stream()
          .flatMap(List::stream)
          .filter(fork -> fork.keys().contains(row))
          .forEach(forks::add);
    }
    return forks;
  }

  /**
   * Returns how long a fork may take, so that each row of the question gets the forks of a verdict:
   * of each fork the same part of its expected time. Null if it may take as long as it needs.
   */
  @Nullable Duration limit(RowFork fork) {
    long lacking = lackingTime().toMillis();
    return deadline == null || lacking == 0 || fork.isCeiling()
        ? null
        : Duration.ofMillis(
            Math.round(
                (double) deadline.left().toMillis()
                    * forecast.expected(fork).toMillis()
                    / lacking));
  }

  /** Returns the least time in which the question can get the forks that it lacks. */
  Duration shortest() {
    return Duration.ofMillis(Math.round(SHORTEST * lackingTime().toMillis()));
  }

  /** Returns whether a disturbed fork can be run again without taking time from the question. */
  boolean allowsAgain(RowFork fork) {
    return deadline == null
        || deadline.allows(lackingTime().plus(forecast.expected(fork).multipliedBy(2)));
  }

  /** Returns how many forks may still run, with the one that was selected last. */
  int forksLeft() {
    if (deadline == null) {
      long runnable = rows.stream().flatMap(List::stream).filter(canRun).count();
      long ceilingsLeft = ceilingRounds(rounds) - ceilingRounds(round);
      return (int)
          (1
              + queue.stream().filter(step -> canRun.test(step.fork())).count()
              + runnable * (rounds - round)
              + ceilings.stream().filter(canRun).count() * ceilingsLeft);
    }
    List<RowFork> asked = rotated(this::isAsked).stream().filter(canRun).toList();
    long all = expected(asked.stream()).toMillis();
    return all == 0 ? 1 : Math.max(1, (int) (asked.size() * deadline.left().toMillis() / all));
  }

  /** Returns the remaining time. */
  Duration left() {
    return deadline == null ? forecast.left() : deadline.left();
  }
}
