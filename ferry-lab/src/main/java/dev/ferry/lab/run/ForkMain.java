package dev.ferry.lab.run;

import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.run.jvm.ForkFlags;
import dev.ferry.lab.run.profiler.SampleProfiler;
import dev.ferry.lab.run.server.ServerMain;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.Operation.Outcome;
import dev.ferry.lab.suite.Pin;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The main class of a fork, and its life cycle: it opens its subjects, warms up, and takes samples
 * of each row or ceiling in turn. Not a benchmark of JMH: what JMH times would include checks and
 * meters, the warm-up here ends when the compiler has nothing to do, and several subjects take
 * turns in one fork. What was left of JMH was the start of a JVM.
 *
 * <p>A fork ends when its standard input ends, which happens when the process that started it ends
 * for any reason. Used by one thread.
 */
final class ForkMain {
  /**
   * The number of samples before those that count: all but the last of them before the warm-up, to
   * load the classes that the meters need. Class loading between samples would make the JVM discard
   * compiled code, and the next samples would include compilation time.
   */
  static final int FIRST_SAMPLES = 3;

  /** In the warm-up of a row, one in this many operations is a complete sample. */
  private static final int OPERATIONS_PER_SAMPLE = 5;

  /** The warm-up of a fork whose time is limited has so many operations in any case. */
  private static final int LEAST_OPERATIONS = 2;

  /** What a fork takes besides, before its JVM and after its samples. */
  private static final long ENDS_MILLIS = 700;

  /**
   * An operation may wait for a machine that has vanished, and not end by itself. Then the fork
   * ends, this long after the connection.
   */
  private static final long DYING_MILLIS = 15_000;

  private static final long LOOK_MILLIS = 1_000;

  /** An operation that takes longer hangs, and the row fails. */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Job job;
  private final SampleProfiler profiler;
  private final List<Subject> subjects;
  private final ClientServerMeters meters;
  private final WarmUp warmUp;
  private boolean measuring;
  private int turn;

  /** When the warm-up began, by {@link System#nanoTime}. */
  private long warmUpStart;

  /** The duration of the last complete sample of the warm-up; 0 before it. */
  private long sampleNanos;

  /** When the last step began, by {@link System#nanoTime}. */
  private volatile long stepStart = System.nanoTime();

  /** Starts servers and clients. */
  private ForkMain(Job job) throws IOException {
    this.job = job;
    Daemon.start("ferry-hang-watcher", this::awaitHang);
    Pin pin = Pin.ofFork();
    if (pin != null) {
      pin.pinClient();
    }
    // Must be opened first, so that it observes the compiler from the beginning.
    profiler = SampleProfiler.open(job.profiler(), job.profile());
    subjects = Subject.open(job, () -> ServerMain.endSoon(DYING_MILLIS));
    meters = new ClientServerMeters(subjects.get(0).server());
    warmUp =
        new WarmUp(
            job.settings(),
            this::mostWarmUpNanos,
            job.limit() == 0 ? Integer.MAX_VALUE : LEAST_OPERATIONS,
            System::nanoTime,
            meters::compilerNanos,
            Thread::sleep);
  }

  /** Called with the job in {@link ForkFlags#JOB}. */
  @SuppressWarnings("SystemOut") // It goes to the run's log.
  public static void main(String[] arguments) {
    Daemon.start("ferry-parent-watcher", ForkMain::awaitParent);
    int status = 1;
    try {
      Job job = Job.ofFork();
      ForkMain fork = open(job);
      fork.measure();
      fork.close();
      status = 0;
    } catch (IOException | RuntimeException | LinkageError e) {
      e.printStackTrace(System.err);
    } finally {
      // Threads of a client that does not stop must not keep the process alive.
      System.exit(status);
    }
  }

  private static ForkMain open(Job job) throws IOException {
    try {
      return new ForkMain(job);
    } catch (IOException | RuntimeException e) {
      throw job.failed("", e);
    }
  }

  private static void awaitParent() {
    try {
      while (System.in.read() >= 0) {
        // Only the end counts.
      }
    } catch (IOException e) {
      // It is gone as well.
      Runtime.getRuntime().halt(1);
    }
    Runtime.getRuntime().halt(1);
  }

  private void awaitHang() {
    try {
      while (System.nanoTime() - stepStart < PATIENCE_NANOS) {
        Thread.sleep(LOOK_MILLIS);
      }
      throw job.failed("", new IOException("an operation does not end"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }

  /** Takes all samples, and those of a row again if necessary. */
  private void measure() throws IOException {
    takeSamples(FIRST_SAMPLES - 1);
    warmUp();
    takeSamples(1);
    measuring = true;
    int count = job.settings().samplesPerRound();
    takeSamples(count);
    ForkCheck.repeat(job.samples(), this::mayRepeat, () -> takeSamples(count));
  }

  /**
   * Repeats the operation until it is fast. In a row, some operations are complete samples with
   * meters and check, so that the JVM has compiled all of that code. Most run only the operation,
   * because the check of a file takes longer than its transfer, and a transfer with too few
   * repetitions is not well compiled, however long the warm-up was.
   */
  private void warmUp() throws IOException {
    warmUpStart = System.nanoTime();
    int[] count = {0};
    int perSample = isCeiling() ? 1 : OPERATIONS_PER_SAMPLE;
    warmUp.run(
        () -> {
          if (count[0]++ % perSample == 0) {
            long start = System.nanoTime();
            takeSamples(1);
            sampleNanos = System.nanoTime() - start;
          } else {
            for (Subject each : subjects) {
              operate(each);
            }
          }
          return subjects.stream().mapToLong(each -> each.driver().nanos()).toArray();
        });
    subjects.forEach(each -> each.driver().beginArrivals());
    // One collection here removes the garbage of the start from the samples. There is none between
    // samples.
    meters.collect();
  }

  /**
   * Returns how long the warm-up may take. If the time of the fork is limited, it leaves enough for
   * the samples.
   */
  private long mostWarmUpNanos() {
    long most = TimeUnit.MILLISECONDS.toNanos(job.settings().maxWarmupMillis());
    if (job.limit() == 0) {
      return most;
    }
    long least = Math.min(job.settings().warmupMillis(), job.settings().maxWarmupMillis());
    long left = millisLeft() + millisSince(warmUpStart);
    return Math.min(most, TimeUnit.MILLISECONDS.toNanos(Math.max(least, left)));
  }

  /** Returns how much of a limited time is left beside the samples. */
  private long millisLeft() {
    return job.limit()
        - ENDS_MILLIS
        - ManagementFactory.getRuntimeMXBean().getUptime()
        - TimeUnit.NANOSECONDS.toMillis(job.settings().samplesPerRound() * sampleNanos);
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  private void operate(Subject measured) throws IOException {
    step(measured.label(), measured.driver()::prepare);
    time(measured);
    step(measured.label(), measured.driver()::discard);
  }

  private boolean isCeiling() {
    return job.rows().get(0).isCeiling();
  }

  /** Operations of which few are allowed in the warm-up are not repeated either. */
  private boolean mayRepeat() {
    return !isCeiling()
        && job.profiler() == null
        && job.settings().maxWarmupOperations() == 0
        && (job.limit() == 0 || millisLeft() > 0);
  }

  /**
   * Takes samples of each subject. The first subject rotates, so that no subject always follows the
   * same one.
   */
  private void takeSamples(int count) throws IOException {
    for (int n = 0; n < count; n++) {
      for (int i = 0; i < subjects.size(); i++) {
        sample(subjects.get((turn + i) % subjects.size()));
      }
      turn++;
    }
  }

  private void sample(Subject measured) throws IOException {
    LoadDriver driver = measured.driver();
    step(
        measured.label(),
        () -> {
          driver.prepare();
          driver.settle();
          if (measuring) {
            warmUp.awaitCompiler();
            profiler.begin();
          }
          meters.start();
        });
    time(measured);
    step(
        measured.label(),
        () -> {
          Outcome outcome = driver.outcome();
          ClientServerMeters.Used used = meters.stop();
          if (measuring) {
            profiler.end();
          }
          measured.requirePromise(outcome);
          driver.check();
          measured
              .sample(job.round(), outcome, used)
              .appendTo(measuring ? measured.samples() : scratch());
        });
  }

  /**
   * Returns the file for samples of the warm-up. They are written like other samples and then
   * discarded.
   */
  private Path scratch() {
    return job.failure().resolveSibling("warm-up.jsonl");
  }

  private void time(Subject measured) throws IOException {
    stepStart = System.nanoTime();
    try {
      measured.driver().run();
    } catch (IOException | RuntimeException e) {
      throw job.failed(measured.label(), meters.causeOf(e));
    }
  }

  @FunctionalInterface
  private interface Step {
    void take() throws IOException;
  }

  /** Runs a step. Writes the reason of a failure to a file for the parent process. */
  private void step(String label, Step step) throws IOException {
    stepStart = System.nanoTime();
    try {
      step.take();
    } catch (IOException | RuntimeException e) {
      throw job.failed(label, e);
    }
  }

  /** Stops clients and servers. */
  private void close() throws IOException {
    meters.close();
    try {
      step("", profiler::finish);
    } finally {
      Optional<IOException> failure = Subject.closeAll(subjects);
      if (failure.isPresent()) {
        throw failure.get();
      }
    }
  }
}
