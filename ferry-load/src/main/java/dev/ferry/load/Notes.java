package dev.ferry.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says where a worker and not the server has decided the figures. */
final class Notes {
  private static final double MAX_LAG_MILLIS = 1;
  private static final double MAX_LAG_SHARE = 0.1;
  private static final double MAX_CPU_SHARE = 0.85;
  private static final double LEAST_DONE = 0.95;
  private static final double P50 = 50;
  private static final double P99 = 99;
  private static final double PERCENT = 100;
  private static final double NANOS_PER_MILLI = 1e6;

  private Notes() {}

  /** Whether the worker could not do what the plan asks for. */
  static boolean isBottleneck(LoadReport report) {
    return report.state().cpuShare() > MAX_CPU_SHARE
        || report.lag().getValueAtPercentile(P99) / NANOS_PER_MILLI > MAX_LAG_MILLIS;
  }

  static List<String> of(LoadReport report) {
    WorkerState state = report.state();
    OperationResult all = report.all();
    List<String> notes = new ArrayList<>();
    if (report.lag().getTotalCount() > 0) {
      lag(notes, report.lag().getValueAtPercentile(P99), all);
    }
    if (state.cpuShare() > MAX_CPU_SHARE) {
      notes.add(
          text(
              "the worker was the bottleneck: it used %.0f %% of its %d processors",
              state.cpuShare() * PERCENT, state.cores()));
    }
    if (report.plan() instanceof Plan plan && state.waited() > 0) {
      notes.add(
          text(
              "%,d of %,d operations waited because %,d were running (--in-flight); their latency"
                  + " includes that",
              state.waited(), all.arrivals(), plan.inFlight()));
    }
    if (state.notStarted() > 0) {
      notes.add(
          text(
              "%,d of %,d operations were never started: they are failures, and not in the"
                  + " latencies",
              state.notStarted(), all.arrivals()));
    }
    if (state.notEnded() > 0) {
      notes.add(
          text(
              "%,d of %,d operations did not end: they are failures, and not in the latencies",
              state.notEnded(), all.arrivals()));
    }
    if (state.complete() && all.donePerSecond() < LEAST_DONE * all.askedPerSecond()) {
      notes.add(
          text(
              "the rate was not reached: %.1f/s of %.1f/s succeeded",
              all.donePerSecond(), all.askedPerSecond()));
    }
    return notes;
  }

  private static void lag(List<String> notes, long lagNanos, OperationResult all) {
    double lag = lagNanos / NANOS_PER_MILLI;
    double median = all.latencies().getValueAtPercentile(P50) / NANOS_PER_MILLI;
    if (lag > MAX_LAG_MILLIS) {
      notes.add(
          text("the worker was the bottleneck: 1 %% of its starts were over %.2f ms late", lag));
    } else if (all.latencies().getTotalCount() > 0 && lag > MAX_LAG_SHARE * median) {
      notes.add(
          text(
              "1 %% of the starts were over %.3f ms late, which is %.0f %% of the median latency;"
                  + " the latencies include it",
              lag, lag / median * PERCENT));
    }
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
