package dev.ferry.load;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What several workers have measured together.
 *
 * @param workers the reports of those that have measured something, by their number
 * @param missing the numbers of the others
 * @param operations the results of all workers together
 * @param lag the same of the lag of starts, in nanoseconds; not to be changed
 */
public record MergedReport(
    Workload plan,
    List<LoadReport> workers,
    List<Integer> missing,
    List<OperationResult> operations,
    Histogram lag) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double LEAST_OVERLAP = 0.95;

  public MergedReport {
    workers = List.copyOf(workers);
    missing = List.copyOf(missing);
    operations = List.copyOf(operations);
  }

  /**
   * Adds up the reports of workers.
   *
   * @param workers reports of one plan, by their number
   */
  static MergedReport of(Workload plan, List<LoadReport> workers) {
    List<Integer> missing = new ArrayList<>();
    for (int i = 1; i <= plan.workers(); i++) {
      int number = i;
      if (workers.stream().noneMatch(worker -> worker.state().worker() == number)) {
        missing.add(number);
      }
    }
    List<OperationResult> operations = new ArrayList<>();
    for (String name : names(plan, workers)) {
      operations.add(
          OperationResult.sum(
              name,
              workers.stream()
                  .flatMap(worker -> worker.operations().stream())
                  .filter(result -> result.operation().equals(name))
                  .toList()));
    }
    Histogram lag = new Histogram(LoadRecorder.DIGITS);
    workers.forEach(worker -> lag.add(worker.lag()));
    return new MergedReport(plan, workers, missing, operations, lag);
  }

  private static List<String> names(Workload plan, List<LoadReport> workers) {
    return plan instanceof Plan known
        ? known.mix().values().stream().map(OperationName::text).toList()
        : workers.stream()
            .flatMap(worker -> worker.operations().stream())
            .map(OperationResult::operation)
            .distinct()
            .sorted()
            .toList();
  }

  /** All operations of all workers together. */
  public OperationResult all() {
    return OperationResult.sum(LoadReport.ALL, operations);
  }

  /** Whether every worker has ended its part. */
  public boolean complete() {
    return missing.isEmpty() && workers.stream().allMatch(worker -> worker.state().complete());
  }

  /** How long all workers that have measured something did so together, in seconds. */
  public double overlapSeconds() {
    Instant from = Instant.MIN;
    Instant to = Instant.MAX;
    for (LoadReport worker : workers) {
      Instant started = byServer(worker.state(), worker.state().started());
      Instant ended = byServer(worker.state(), worker.state().ended());
      from = started.isAfter(from) ? started : from;
      to = ended.isBefore(to) ? ended : to;
    }
    return workers.isEmpty() || to.isBefore(from)
        ? 0
        : Duration.between(from, to).toNanos() / NANOS_PER_SECOND;
  }

  private static Instant byServer(WorkerState state, Instant time) {
    ClockOffset clock = state.clock();
    return clock == null ? time : time.plusNanos(Math.round(clock.millis() * 1e6));
  }

  /** What a reader must know to judge the figures, a line each. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (int worker : missing) {
      notes.add(
          text(
              "%s is missing: it has left no report; its part of the load is not in the figures",
              plan.nameOf(worker)));
    }
    for (LoadReport worker : workers) {
      WorkerState state = worker.state();
      if (!state.complete()) {
        notes.add(
            text(
                "%s ended after %.1f s of %.1f s; what it measured until then is in the figures",
                plan.nameOf(state.worker()), state.seconds(), plan.seconds()));
      }
    }
    double overlap = overlapSeconds();
    if (overlap < LEAST_OVERLAP * plan.seconds()) {
      notes.add(
          text(
              "the workers ran together for %.1f s of %.1f s; otherwise there was less load than"
                  + " the plan has",
              overlap, plan.seconds()));
    }
    notes.add(clocks());
    if (plan instanceof Workload.OfEngine other) {
      notes.add(
          other.engine()
              + ": latencies count from the start of each operation, which may be later than it was"
              + " to start if the server is slow");
    }
    for (LoadReport worker : workers) {
      worker.notes().forEach(note -> notes.add("worker " + worker.state().worker() + ": " + note));
    }
    return notes;
  }

  private String clocks() {
    List<ClockOffset> known = new ArrayList<>();
    for (LoadReport worker : workers) {
      ClockOffset clock = worker.state().clock();
      if (clock != null) {
        known.add(clock);
      }
    }
    if (known.isEmpty() || known.size() < workers.size()) {
      return "the clocks of the workers were not compared; starts are by their own clocks";
    }
    double least = known.stream().mapToDouble(ClockOffset::millis).min().orElse(0);
    double most = known.stream().mapToDouble(ClockOffset::millis).max().orElse(0);
    double uncertain = known.stream().mapToDouble(ClockOffset::uncertaintyMillis).max().orElse(0);
    return text(
        "the clocks of the workers differ by %.0f ms at most, to within %.0f ms",
        most - least, 2 * uncertain);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
