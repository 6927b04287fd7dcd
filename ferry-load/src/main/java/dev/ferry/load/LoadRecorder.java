package dev.ferry.load;

import dev.ferry.core.FerryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Records the measured operations of a worker: latencies of those that succeeded, failures by their
 * kind, and how late operations were started. An arrival that was never started, or did not end, is
 * a failure: a server that stops answering would else have few. Arrivals of the warm-up are
 * ignored. Thread-safe; one thread calls {@link #takeSecond}.
 */
final class LoadRecorder {
  /** Significant decimal digits of a time: its error is at most 0.1 %. */
  static final int DIGITS = 3;

  /** The kind of a failure: too many operations were running until the end. */
  static final String NOT_STARTED = "NOT_STARTED";

  /** The kind of a failure: the operation did not end, not even when it was interrupted. */
  static final String NOT_ENDED = "NOT_ENDED";

  private final Plan plan;
  private final List<Kind> kinds = new ArrayList<>();
  private final Recorder lag = new Recorder(DIGITS);
  private final LongAdder waited = new LongAdder();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger mostInFlight = new AtomicInteger();

  /** What is recorded of an operation. */
  private static final class Kind {
    final Recorder latencies = new Recorder(DIGITS);
    final LongAdder arrivals = new LongAdder();
    final LongAdder bytes = new LongAdder();
    final Map<String, LongAdder> failures = new ConcurrentHashMap<>();

    void failed(String how) {
      failures.computeIfAbsent(how, name -> new LongAdder()).increment();
    }
  }

  /**
   * What was recorded since the last call.
   *
   * @param latencies nanoseconds from the intended start to the end, for each operation of the mix
   * @param lag nanoseconds from the intended start to the start
   */
  record Second(List<Histogram> latencies, Histogram lag) {}

  LoadRecorder(Plan plan) {
    this.plan = plan;
    for (int i = 0; i < plan.mix().values().size(); i++) {
      kinds.add(new Kind());
    }
  }

  void arrived(Arrival arrival) {
    if (arrival.measured()) {
      kinds.get(arrival.operation()).arrivals.increment();
    }
  }

  /** Notes how many operations run now. */
  void inFlight(int now) {
    inFlight.set(now);
    mostInFlight.accumulateAndGet(now, Math::max);
  }

  /**
   * Notes that an operation begins.
   *
   * @param waited whether it had to wait because too many were running; it then says nothing of how
   *     late the worker is
   */
  void started(Arrival arrival, long nanosAfterIntended, boolean waited) {
    if (!arrival.measured()) {
      return;
    }
    if (waited) {
      this.waited.increment();
    } else {
      lag.recordValue(Math.max(0, nanosAfterIntended));
    }
  }

  /** Notes that an operation has ended. */
  void ended(Arrival arrival, long nanosAfterIntended, @Nullable Throwable failure) {
    if (!arrival.measured()) {
      return;
    }
    Kind kind = kinds.get(arrival.operation());
    if (failure == null) {
      kind.latencies.recordValue(Math.max(0, nanosAfterIntended));
      if (plan.mix().values().get(arrival.operation()).movesBytes()) {
        kind.bytes.add(plan.files().values().get(arrival.file()));
      }
    } else {
      kind.failed(nameOf(failure));
    }
  }

  private static String nameOf(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof FerryException known
        ? known.kind().name()
        : cause.getClass().getSimpleName();
  }

  void notStarted(Arrival arrival) {
    if (arrival.measured()) {
      kinds.get(arrival.operation()).failed(NOT_STARTED);
    }
  }

  Second takeSecond() {
    List<Histogram> latencies =
        kinds.stream().map(kind -> kind.latencies.getIntervalHistogram()).toList();
    return new Second(latencies, lag.getIntervalHistogram());
  }

  long arrivals(int operation) {
    return kinds.get(operation).arrivals.sum();
  }

  /** The bytes of files that were moved by operations that succeeded. */
  long bytes(int operation) {
    return kinds.get(operation).bytes.sum();
  }

  Map<String, Long> failures(int operation) {
    Map<String, Long> failures = new TreeMap<>();
    kinds.get(operation).failures.forEach((kind, count) -> failures.put(kind, count.sum()));
    return failures;
  }

  /**
   * Returns the failures of a load that has ended: arrivals of which nothing was recorded did not
   * end.
   *
   * @param succeeded how many operations succeeded
   */
  Map<String, Long> failuresAtEnd(int operation, long succeeded) {
    Map<String, Long> failures = failures(operation);
    long notEnded =
        arrivals(operation)
            - succeeded
            - failures.values().stream().mapToLong(Long::longValue).sum();
    if (notEnded > 0) {
      failures.put(NOT_ENDED, notEnded);
    }
    return failures;
  }

  long waited() {
    return waited.sum();
  }

  /** The number of operations that ran when the last one began. */
  int inFlight() {
    return inFlight.get();
  }

  int mostInFlight() {
    return mostInFlight.get();
  }
}
