package dev.ferry.load;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.DaemonThreads;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Runs the part of a worker in a load, and reports what it has measured. Used once. */
public final class LoadRun {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** The threads need a moment to begin. */
  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Plan plan;
  private final int worker;
  private final List<LoadOperation> operations;
  private final @Nullable ClockOffset clock;
  private final @Nullable WorkerFolder folder;
  private final LoadRecorder recorder;
  private final CpuMeter cpu = new CpuMeter();
  private final List<Histogram> latencies = new ArrayList<>();
  private final Histogram lag = new Histogram(LoadRecorder.DIGITS);
  private long measuredNanos;
  private Instant started = Instant.EPOCH;
  private double lastSecond;
  private @Nullable IOException failure;
  private Consumer<LoadReport> watcher = report -> {};

  /**
   * @param worker from 1 to the number of workers
   * @param operations those of the mix, in its order
   * @param clock the clock of the server compared with this one; null if it is not known
   * @param folder where the figures of every second are written; null for nowhere. It is not closed
   */
  public LoadRun(
      Plan plan,
      int worker,
      List<LoadOperation> operations,
      @Nullable ClockOffset clock,
      @Nullable WorkerFolder folder) {
    this.plan = plan;
    this.worker = worker;
    this.operations = List.copyOf(operations);
    this.clock = clock;
    this.folder = folder;
    this.recorder = new LoadRecorder(plan);
    plan.mix().values().forEach(name -> latencies.add(new Histogram(LoadRecorder.DIGITS)));
  }

  /**
   * Has a watcher see what was measured so far, once a second.
   *
   * @param consumer runs on the thread that counts; what it gets changes after it returns
   */
  public LoadRun watchedBy(Consumer<LoadReport> consumer) {
    watcher = consumer;
    return this;
  }

  /**
   * Waits until the load begins, and runs it.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the time at which it begins
   *     has passed
   * @throws InterruptedException if the thread was interrupted
   * @throws IOException if the folder cannot be written
   */
  public LoadReport run() throws InterruptedException, IOException {
    Instant now = Instant.now();
    Instant startAt = plan.startAt() == null ? now.plusNanos(FIRST_NANOS) : plan.startAt();
    long wait = Duration.between(now, startAt).toNanos();
    if (wait < 0) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "the load was to start at %s, which has passed by %d ms; give a later time"
              .formatted(startAt, Duration.between(startAt, now).toMillis()));
    }
    long begin = System.nanoTime() + wait;
    long warmUp = Math.round(plan.warmUpSeconds() * NANOS_PER_SECOND);
    measuredNanos = begin + warmUp;
    started = startAt.plusNanos(warmUp);
    if (folder != null) {
      folder.begin(started);
    }
    ScheduledExecutorService ticks =
        Executors.newSingleThreadScheduledExecutor(new DaemonThreads("ferry-load-seconds"));
    try {
      long first = measuredNanos - System.nanoTime();
      var unused = ticks.schedule(cpu::begin, first, TimeUnit.NANOSECONDS);
      var unusedToo =
          ticks.scheduleAtFixedRate(
              () -> tick(false),
              first + (long) NANOS_PER_SECOND,
              (long) NANOS_PER_SECOND,
              TimeUnit.NANOSECONDS);
      new Driver(plan, worker, operations, recorder).run(begin);
    } finally {
      ticks.shutdownNow();
      boolean unused = ticks.awaitTermination(1, TimeUnit.MINUTES);
    }
    LoadReport report = tick(true);
    if (failure != null) {
      throw failure;
    }
    return report;
  }

  private LoadReport tick(boolean complete) {
    double now = (System.nanoTime() - measuredNanos) / NANOS_PER_SECOND;
    LoadRecorder.Second second = recorder.takeSecond();
    for (int i = 0; i < latencies.size(); i++) {
      latencies.get(i).add(second.latencies().get(i));
    }
    lag.add(second.lag());
    LoadReport report = report(complete, now);
    if (folder != null && failure == null) {
      try {
        folder.add(lastSecond, now, report, second, recorder.inFlight());
      } catch (IOException e) {
        // The load goes on; run() throws it.
        failure = e;
      }
    }
    lastSecond = now;
    if (!complete) {
      watcher.accept(report);
    }
    return report;
  }

  private LoadReport report(boolean complete, double elapsed) {
    double seconds = complete ? plan.seconds() : Math.min(plan.seconds(), elapsed);
    double until = Math.max(elapsed, seconds);
    List<OperationResult> results = new ArrayList<>();
    for (int i = 0; i < latencies.size(); i++) {
      long succeeded = latencies.get(i).getTotalCount();
      results.add(
          new OperationResult(
              plan.mix().values().get(i).text(),
              recorder.arrivals(i),
              recorder.arrivals(i) / seconds,
              succeeded / until,
              recorder.bytes(i),
              recorder.bytes(i) / until,
              complete ? recorder.failuresAtEnd(i, succeeded) : recorder.failures(i),
              latencies.get(i)));
    }
    WorkerState state =
        new WorkerState(
            worker,
            complete,
            started,
            seconds,
            until,
            recorder.waited(),
            failed(results, LoadRecorder.NOT_STARTED),
            failed(results, LoadRecorder.NOT_ENDED),
            recorder.mostInFlight(),
            cpu.cores(),
            cpu.share(),
            clock);
    return new LoadReport(plan, state, results, lag);
  }

  private static long failed(List<OperationResult> results, String how) {
    return results.stream().mapToLong(result -> result.errors().getOrDefault(how, 0L)).sum();
  }
}
