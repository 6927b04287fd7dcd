package dev.ferry.lab.run;

import dev.ferry.lab.model.HistogramText;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Usage;
import dev.ferry.lab.run.profiler.SampleProfiler;
import dev.ferry.lab.suite.Fixture;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Suites;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The life of one row in its fork: warm-up, then sample after sample. Used by one thread. */
final class RowSession implements AutoCloseable {
  /** One in how many operations of a warm-up is a whole sample. */
  private static final int OPERATIONS_PER_SAMPLE = 5;

  private final Job job;
  private final Suite.Promise promise;
  private final RowServer server;
  private final boolean foreign;
  private final Fixture fixture;
  private final ClientServerMeters ends;
  private final SampleProfiler profiler;

  /** Where the samples of the warm-up go: they are written like the others, and not kept. */
  private final Path scratch;

  private Path samples;
  private long nanos;
  private Fixture.@Nullable Outcome outcome;

  private RowSession(
      Job job, Suite suite, RowServer server, Fixture fixture, SampleProfiler profiler) {
    this.job = job;
    this.promise = suite.promise(job.row());
    this.foreign = suite.foreign(job.row());
    this.server = server;
    this.fixture = fixture;
    this.ends = new ClientServerMeters(server);
    this.profiler = profiler;
    this.scratch = job.failure().resolveSibling("warm-up.jsonl");
    this.samples = scratch;
  }

  /** Opens the row of a job file. */
  static RowSession open(String jobFile) throws IOException {
    Job job = JobFiles.read(Path.of(jobFile), Job.class);
    try {
      Suite suite = Suites.find(job.row().suite());
      // First, so that it sees the compiler at work from the beginning.
      SampleProfiler profiler = SampleProfiler.open(job.profiler(), job.profile());
      RowServer server =
          job.processes() == 1
              ? suite.openServer(job.row(), job.workplace())
              : ServerProcess.start();
      try {
        Fixture fixture = suite.openClient(job.row(), job.workplace(), server.port());
        return new RowSession(job, suite, server, fixture, profiler);
      } catch (IOException | RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (LabException | IOException | RuntimeException e) {
      throw failed(job, e);
    }
  }

  /** Whether the samples that follow count. */
  void measuring(boolean value) {
    samples = value ? job.samples() : scratch;
  }

  private boolean measuring() {
    return samples != scratch;
  }

  /**
   * Repeats the operation until it is fast: often what a sample is, meters and check and all, so
   * that nothing of it is new to the JVM later, but mostly the operation alone. A check of a file
   * takes longer than its transfer, and a transfer that was not repeated enough is not compiled
   * well, however long its warm-up took.
   */
  void warmUp() throws IOException {
    AtomicInteger count = new AtomicInteger();
    new WarmUp(job.settings(), System::nanoTime, ends::compiledMillis)
        .run(
            () -> {
              if (count.getAndIncrement() % OPERATIONS_PER_SAMPLE == 0) {
                prepare();
                Fixture.Outcome unused = run();
                finish();
              } else {
                operate();
              }
            });
    // One collection here spares the samples the garbage of the start; none between samples.
    ends.collect();
  }

  private void operate() throws IOException {
    step(fixture::prepare);
    Fixture.Outcome unused = run();
    step(fixture::discard);
  }

  @FunctionalInterface
  private interface Step {
    void take() throws IOException;
  }

  /** What fails is left behind for the runner to tell. */
  private void step(Step step) throws IOException {
    try {
      step.take();
    } catch (IOException | RuntimeException e) {
      throw failed(job, e);
    }
  }

  void prepare() throws IOException {
    outcome = null;
    step(
        () -> {
          fixture.prepare();
          fixture.settle();
          if (measuring()) {
            profiler.begin();
          }
          ends.start();
        });
  }

  Fixture.Outcome run() throws IOException {
    try {
      long start = System.nanoTime();
      Fixture.Outcome result = fixture.run();
      long elapsed = System.nanoTime() - start;
      nanos = fixture.ownNanos().orElse(elapsed);
      outcome = result;
      return result;
    } catch (IOException | RuntimeException e) {
      throw failed(job, ends.causeOf(e));
    }
  }

  /** Stops the meters, checks the outcome and appends the sample. */
  void finish() throws IOException {
    Fixture.Outcome result = outcome;
    if (result == null) {
      // The operation failed and has said so.
      return;
    }
    ClientServerMeters.Used used;
    try {
      used = ends.stop();
      if (measuring()) {
        profiler.end();
      }
      requirePromise(result);
      fixture.check();
    } catch (IOException | RuntimeException e) {
      throw failed(job, e);
    }
    SampleLog.append(samples, sample(result, used));
  }

  private Sample sample(Fixture.Outcome result, ClientServerMeters.Used used) {
    Usage total = foreign ? null : used.total();
    Histogram latencies = fixture.latencies();
    return new Sample(
        job.round(),
        nanos,
        total == null ? null : (Long) total.allocatedBytes(),
        total == null ? null : (Long) total.cpuNanos(),
        total == null ? null : (Long) total.young(),
        total == null ? null : (Long) total.old(),
        total == null ? null : (Long) total.heapPeakBytes(),
        total == null ? null : (Long) total.directPeakBytes(),
        result.bytes(),
        result.wireBytes(),
        result.protocol(),
        result.encoding(),
        total == null || total.switches() < 0 ? null : (Long) total.switches(),
        latencies == null ? null : HistogramText.encode(latencies),
        fixture.parts(),
        used.client(),
        used.server());
  }

  private void requirePromise(Fixture.Outcome result) throws IOException {
    require("protocol", promise.protocol(), result.protocol());
    require("encoding", promise.encoding(), result.encoding());
    CodecCheck.require(promise.codec());
  }

  private static void require(String what, String promised, String actual) throws IOException {
    if (!promised.equals(actual)) {
      throw new IOException(what + " is " + actual + ", the row's label says " + promised);
    }
  }

  private static IOException failed(Job job, Exception e) throws IOException {
    String reason = Reason.of(e);
    Files.writeString(job.failure(), reason);
    return new IOException(job.row() + ": " + reason, e);
  }

  @Override
  public void close() throws IOException {
    ends.close();
    try {
      step(profiler::finish);
    } finally {
      try {
        fixture.close();
      } finally {
        server.close();
      }
    }
  }
}
