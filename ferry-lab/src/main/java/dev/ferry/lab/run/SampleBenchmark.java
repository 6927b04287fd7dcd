package dev.ferry.lab.run;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.run.profiler.SampleProfiler;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.Operation.Outcome;
import dev.ferry.lab.suite.Pin;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * The life cycle of a fork: it opens its subjects, warms up, and takes a sample of each row or
 * ceiling in turn per invocation. It times the operations itself. JMH's own figure includes checks
 * and meters and is not used.
 *
 * <p>The benchmark needs a job, so only the lab starts it: {@code ./ferry bench} runs it for every
 * row, and for the ceilings. Used by one thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls open before anything else.
public class SampleBenchmark {
  /** The number of single invocations that JMH makes before those that count. */
  static final int WARMUP_ITERATIONS = 3;

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

  /** Names what is measured in the log of JMH. The job contains the details. */
  @Param("")
  public String subject;

  private Job job;
  private SampleProfiler profiler;
  private List<Subject> subjects;
  private ClientServerMeters meters;
  private WarmUp warmUp;
  private int warmupIterations;
  private boolean measuring;
  private int turn;
  private int measured;

  /** When the warm-up began, by {@link System#nanoTime}. */
  private long warmUpStart;

  /** The duration of the last complete sample of the warm-up; 0 before it. */
  private long sampleNanos;

  /** Starts servers and clients. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    job = Job.ofFork();
    try {
      Pin pin = Pin.ofFork();
      if (pin != null) {
        pin.pinClient();
      }
      // Must be opened first, so that it observes the compiler from the beginning.
      profiler = SampleProfiler.open(job.profiler(), job.profile());
      subjects = Subject.open(job, SampleBenchmark::endSoon);
      meters = new ClientServerMeters(subjects.get(0).server());
      warmUp =
          new WarmUp(
              job.settings(),
              this::mostWarmUpNanos,
              job.limit() == 0 ? Integer.MAX_VALUE : LEAST_OPERATIONS,
              System::nanoTime,
              meters::compilerNanos,
              Thread::sleep);
    } catch (LabException | IOException | RuntimeException e) {
      throw job.failed("", e);
    }
  }

  /** Ends the fork. The main class of most forks is JMH's, which runs nothing of ours but this. */
  private static void endSoon() {
    Thread thread =
        new Thread(
            () -> {
              try {
                Thread.sleep(DYING_MILLIS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              Runtime.getRuntime().halt(1);
            },
            "ferry-server-lost");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Warms up before the last of JMH's warm-up iterations. The earlier iterations load the classes
   * that JMH and the meters need. Class loading between samples would make the JVM discard compiled
   * code, and the next samples would include compilation time.
   */
  @Setup(Level.Iteration)
  public void begin(IterationParams iteration) throws IOException {
    measuring = iteration.getType() == IterationType.MEASUREMENT;
    if (iteration.getType() == IterationType.WARMUP && ++warmupIterations == WARMUP_ITERATIONS) {
      warmUp();
    }
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
    int perSample = job.ceilings() == null ? OPERATIONS_PER_SAMPLE : 1;
    warmUp.run(
        () -> {
          if (count[0]++ % perSample == 0) {
            long start = System.nanoTime();
            takeSamples();
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

  /** Takes a sample of each subject, and after the last one those of a row again if necessary. */
  @Benchmark
  public void run() throws IOException {
    takeSamples();
    int count = job.settings().samplesPerRound();
    if (measuring && ++measured == count) {
      ForkCheck.repeat(
          job.samples(),
          this::mayRepeat,
          () -> {
            for (int i = 0; i < count; i++) {
              takeSamples();
            }
          });
    }
  }

  /** Operations of which few are allowed in the warm-up are not repeated either. */
  private boolean mayRepeat() {
    return !job.rows().isEmpty()
        && job.profiler() == null
        && job.settings().maxWarmupOperations() == 0
        && (job.limit() == 0 || millisLeft() > 0);
  }

  /**
   * Takes a sample of each subject. The first subject rotates, so that no subject always follows
   * the same one.
   */
  private void takeSamples() throws IOException {
    for (int i = 0; i < subjects.size(); i++) {
      sample(subjects.get((turn + i) % subjects.size()));
    }
    turn++;
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
    try {
      step.take();
    } catch (IOException | RuntimeException e) {
      throw job.failed(label, e);
    }
  }

  /** Stops clients and servers. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
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
