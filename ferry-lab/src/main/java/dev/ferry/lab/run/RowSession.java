package dev.ferry.lab.run;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Usage;
import dev.ferry.lab.suite.Fixture;
import dev.ferry.lab.suite.RowServer;
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
  private final RowServer server;
  private final Fixture fixture;
  private final Meters meters = new Meters();

  /** Where the samples of the warm-up go: they are written like the others, and not kept. */
  private final Path scratch;

  private Path samples;
  private long nanos;
  private Fixture.@Nullable Outcome outcome;

  private RowSession(Job job, Suite.Promise promise, RowServer server, Fixture fixture) {
    this.job = job;
    this.promise = promise;
    this.server = server;
    this.fixture = fixture;
    this.scratch = job.failure().resolveSibling("warm-up.jsonl");
    this.samples = scratch;
  }

  /** Opens the row of a job file. */
  static RowSession open(String jobFile) throws IOException {
    Job job = JobFiles.read(Path.of(jobFile));
    try {
      Suite suite = Suites.find(job.row().suite());
      RowServer server =
          job.processes() == 1
              ? suite.openServer(job.row(), job.workplace())
              : ServerProcess.start();
      try {
        Fixture fixture = suite.openClient(job.row(), job.workplace(), server.port());
        return new RowSession(job, suite.promise(job.row()), server, fixture);
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

  /** Repeats what a sample is, meters and all, until it is fast. */
  void warmUp() throws IOException {
    new WarmUp(job.settings(), System::nanoTime, this::compiled)
        .run(
            () -> {
              prepare();
              Fixture.Outcome unused = run();
              finish();
            });
    // One collection here spares the samples the garbage of the start; none between samples.
    System.gc();
    if (server instanceof ServerProcess process) {
      process.collect();
    }
  }

  /** Both ends share the cores, so a compiler at either holds up the row. */
  private long compiled() throws IOException {
    return WarmUp.compiled()
        + (server instanceof ServerProcess process ? process.compiledMillis() : 0);
  }

  void prepare() throws IOException {
    outcome = null;
    fixture.prepare();
    try {
      if (server instanceof ServerProcess process) {
        process.startMeters();
      }
    } catch (IOException e) {
      throw failed(job, e);
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
      throw failed(job, server instanceof ServerProcess process ? process.causeOf(e) : e);
    }
  }

  /** Stops the meters, checks the outcome and appends the sample. */
  void finish() throws IOException {
    Usage client = meters.stop();
    Fixture.Outcome result = outcome;
    if (result == null) {
      // The operation failed and has said so.
      return;
    }
    Usage serverUsage;
    try {
      serverUsage = server instanceof ServerProcess process ? process.stopMeters() : null;
      requirePromise(result);
      fixture.check();
    } catch (IOException | RuntimeException e) {
      throw failed(job, e);
    }
    Usage usage = serverUsage == null ? client : client.plus(serverUsage);
    SampleLog.append(
        samples,
        new Sample(
            job.round(),
            nanos,
            usage.allocatedBytes(),
            usage.cpuNanos(),
            usage.young(),
            usage.old(),
            usage.heapPeakBytes(),
            usage.directPeakBytes(),
            result.bytes(),
            result.wireBytes(),
            result.protocol(),
            result.encoding(),
            serverUsage == null ? null : client,
            serverUsage));
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
    String reason = reason(e);
    Files.writeString(job.failure(), reason);
    return new IOException(job.row() + ": " + reason, e);
  }

  /** What went wrong, in one line. */
  static String reason(Exception e) {
    String reason = e.getMessage() == null ? e.toString() : e.getMessage();
    return reason.lines().findFirst().orElse(reason);
  }

  @Override
  public void close() {
    meters.close();
    try {
      fixture.close();
    } finally {
      server.close();
    }
  }
}
