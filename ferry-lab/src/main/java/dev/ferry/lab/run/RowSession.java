package dev.ferry.lab.run;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.suite.Fixture;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Suites;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The life of one row in its fork: warm-up, then sample after sample. Used by one thread. */
final class RowSession implements AutoCloseable {
  private final Job job;
  private final Suite.Promise promise;
  private final boolean foreign;
  private final Fixture fixture;
  private final Meters meters = new Meters();
  private final SampleProfiler profiler;

  /** Where the samples of the warm-up go: they are written like the others, and not kept. */
  private final Path scratch;

  private Path samples;
  private long nanos;
  private Fixture.@Nullable Outcome outcome;

  private RowSession(Job job, Suite suite, Fixture fixture, SampleProfiler profiler) {
    this.job = job;
    this.promise = suite.promise(job.row());
    this.foreign = suite.foreign(job.row());
    this.fixture = fixture;
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
      Fixture fixture = suite.open(job.row(), job.workplace());
      return new RowSession(job, suite, fixture, profiler);
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

  /** Repeats what a sample is, meters and all, until it is fast. */
  void warmUp() throws IOException {
    WarmUp.of(job.settings())
        .run(
            () -> {
              prepare();
              Fixture.Outcome unused = run();
              finish();
            });
    // One collection here spares the samples the garbage of the start; none between samples.
    System.gc();
  }

  void prepare() throws IOException {
    outcome = null;
    fixture.prepare();
    if (measuring()) {
      try {
        profiler.begin();
      } catch (IOException | RuntimeException e) {
        throw failed(job, e);
      }
    }
    meters.start();
  }

  Fixture.Outcome run() throws IOException {
    try {
      long start = System.nanoTime();
      Fixture.Outcome result = fixture.run();
      nanos = System.nanoTime() - start;
      outcome = result;
      return result;
    } catch (IOException | RuntimeException e) {
      throw failed(job, e);
    }
  }

  /** Stops the meters, checks the outcome and appends the sample. */
  void finish() throws IOException {
    Meters.Usage usage = meters.stop();
    if (measuring()) {
      profiler.end();
    }
    Fixture.Outcome result = outcome;
    if (result == null) {
      // The operation failed and has said so.
      return;
    }
    try {
      requirePromise(result);
      fixture.check();
    } catch (IOException | RuntimeException e) {
      throw failed(job, e);
    }
    SampleLog.append(
        samples,
        new Sample(
            job.round(),
            nanos,
            foreign ? null : usage.allocatedBytes(),
            foreign ? null : usage.cpuNanos(),
            foreign ? null : usage.young(),
            foreign ? null : usage.old(),
            foreign ? null : usage.directPeakBytes(),
            result.bytes(),
            result.wireBytes(),
            result.protocol(),
            result.encoding()));
  }

  private void requirePromise(Fixture.Outcome result) throws IOException {
    require("protocol", promise.protocol(), result.protocol());
    require("encoding", promise.encoding(), result.encoding());
  }

  private static void require(String what, String promised, String actual) throws IOException {
    if (!promised.equals(actual)) {
      throw new IOException(what + " is " + actual + ", the row's label says " + promised);
    }
  }

  private static IOException failed(Job job, Exception e) throws IOException {
    String reason = e.getMessage() == null ? e.toString() : e.getMessage();
    Files.writeString(job.failure(), reason.lines().findFirst().orElse(reason));
    return new IOException(job.row() + ": " + reason, e);
  }

  @Override
  public void close() throws IOException {
    meters.close();
    try {
      profiler.finish();
    } catch (IOException | RuntimeException e) {
      throw failed(job, e);
    } finally {
      fixture.close();
    }
  }
}
