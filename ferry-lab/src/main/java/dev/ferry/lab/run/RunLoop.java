package dev.ferry.lab.run;

import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.CeilingKey;
import dev.ferry.lab.model.CeilingRun;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.model.RunDocument.Ferry;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.RunDocument.SourceFile;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.run.profiler.SampleProfiler;
import dev.ferry.lab.suite.Plan;
import dev.ferry.lab.suite.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a plan in rounds. A round is one pass over all rows with one fork per row, and rivals run
 * next to each other. The ceilings are measured at the start of each round. Used by one thread.
 */
public final class RunLoop implements AutoCloseable {
  private static final String NOT_RUN = "the run ended before it";

  private final Plan plan;
  private final Profile profile;
  private final int processes;
  private final @Nullable Profiler profiler;
  private final RunFolder folder;
  private final WorkFolder work;
  private final SourceFile file;
  private final LoadFiles loadFiles;
  private final Environment environment;
  private final Cancellation cancellation;
  private final Map<RowKey, String> obstacles = new LinkedHashMap<>();
  private final List<CeilingFork> ceilings;
  private final Measurements measurements;
  private final Forecast forecast;
  private int done;

  private RunLoop(
      Plan plan,
      Profile profile,
      int processes,
      @Nullable Profiler profiler,
      RunFolder folder,
      WorkFolder work,
      SourceFile file,
      Environment environment,
      Cancellation cancellation,
      Clock clock) {
    this.plan = plan;
    this.profile = profile;
    this.processes = processes;
    this.profiler = profiler;
    this.folder = folder;
    this.work = work;
    this.file = file;
    this.loadFiles = new LoadFiles(work.source(), file);
    this.environment = environment;
    this.cancellation = cancellation;
    Settings settings = profile.settings();
    this.forecast =
        new Forecast(Estimate.forks(plan, settings, file.bytes()), settings.rounds(), clock);
    for (Plan.Group group : plan.groups()) {
      for (RowKey row : group.rows()) {
        String obstacle = group.suite().obstacle(row);
        if (obstacle != null) {
          obstacles.put(row, obstacle);
          forecast.drop(row);
        }
      }
    }
    this.ceilings = plan.ceilingForks();
    this.measurements = new Measurements(folder, work, cancellation);
  }

  /**
   * Checks the file to transfer before anything is created for it.
   *
   * @return its size in bytes
   * @throws LabException if it does not exist, is not a regular file or is not readable
   */
  public static long requireFile(Path source) throws LabException {
    return WorkFolder.check(source);
  }

  /**
   * Checks that a profiler works here before anything is created for it.
   *
   * @throws LabException with the reason and an alternative
   */
  public static void requireProfiler(Profiler profiler) throws LabException {
    SampleProfiler.require(profiler);
  }

  /**
   * Prepares the work folder and the file. {@code close} deletes them.
   *
   * @param processes 1, or 2 to run the server of each row in a separate process
   * @param profiler the profiler of the samples; null for none
   * @param source the file to transfer; null for a generated one
   * @param generatedBytes the size of the generated file in bytes
   */
  public static RunLoop prepare(
      Plan plan,
      Profile profile,
      int processes,
      @Nullable Profiler profiler,
      RunFolder folder,
      Path workParent,
      @Nullable Path source,
      long generatedBytes,
      Cancellation cancellation,
      Clock clock)
      throws LabException, IOException {
    WorkFolder work = WorkFolder.create(workParent.toAbsolutePath());
    try {
      SourceFile file = work.fetch(source, generatedBytes, plan.loads());
      Environment environment = EnvironmentProbe.probe(work.root(), clock.instant());
      return new RunLoop(
          plan, profile, processes, profiler, folder, work, file, environment, cancellation, clock);
    } catch (LabException | RuntimeException e) {
      work.close();
      throw e;
    }
  }

  /** Returns the build that measures. */
  public Ferry ferry() {
    return EnvironmentProbe.ferry();
  }

  /** Returns the environment with the current load as the load after the run. */
  public Environment environment() {
    return environment.withLoadAfter(EnvironmentProbe.load());
  }

  /** Returns the file to transfer. */
  public SourceFile file() {
    return file;
  }

  /** Returns whether every row was run, has failed, or cannot run here, in every round. */
  public boolean complete() {
    return done == total();
  }

  /** Returns the results of the ceilings so far, in their order. */
  public List<CeilingRun> ceilings() {
    return ceilings.stream().flatMap(fork -> runs(fork).stream()).toList();
  }

  private List<CeilingRun> runs(CeilingFork fork) {
    return fork.keys().stream().map(this::run).toList();
  }

  private CeilingRun run(CeilingKey ceiling) {
    List<Sample> measured = measurements.samples(ceiling);
    String reason = measurements.failure(ceiling);
    if (reason != null) {
      return new CeilingRun(ceiling, Status.FAILED, reason, measured);
    }
    return measured.isEmpty()
        ? new CeilingRun(ceiling, Status.SKIPPED, NOT_RUN, measured)
        : new CeilingRun(ceiling, Status.OK, null, measured);
  }

  private int total() {
    return (plan.size() + ceilings.size()) * profile.settings().rounds();
  }

  /** Runs all forks that can run until cancelled. A row that has failed is not run again. */
  public List<RowRun> run(RunListener listener) throws IOException {
    for (int round = 0; round < profile.settings().rounds(); round++) {
      if (!runCeilings(listener, round)) {
        return rows();
      }
      for (Plan.Group group : plan.groups()) {
        for (RowKey row : group.inRound(round)) {
          if (cancellation.isCancelled()) {
            return rows();
          }
          boolean runs = !measurements.failed(List.of(row)) && !obstacles.containsKey(row);
          if (runs) {
            forecast.begin();
            listener.started(row, round, done, total(), forecast.left());
            runFork(group, row, round);
          }
          if (cancellation.isCancelled()) {
            return rows();
          }
          done++;
          listener.ended(row, round, done, total(), rows());
          if (runs) {
            learn(row, measurements.failed(List.of(row)));
          }
        }
      }
    }
    return rows();
  }

  /** Returns whether the run continues. */
  private boolean runCeilings(RunListener listener, int round) throws IOException {
    for (CeilingFork fork : ceilings) {
      boolean runs = !cancellation.isCancelled() && !measurements.failed(fork.keys());
      if (runs) {
        forecast.begin();
        listener.ceilingsStarted(fork, round, done, total(), forecast.left());
        runFork(fork, round);
      }
      if (cancellation.isCancelled()) {
        return false;
      }
      done++;
      listener.ceilingsEnded(runs(fork), round, done, total(), rows());
      if (runs) {
        learn(fork, measurements.failed(fork.keys()));
      }
    }
    return true;
  }

  /**
   * Updates the forecast. Called after all work for a fork is done, so that the measured time
   * includes it.
   */
  private void learn(Object fork, boolean failed) {
    if (failed) {
      forecast.drop(fork);
    } else {
      forecast.end(fork);
    }
  }

  private void runFork(Plan.Group group, RowKey row, int round) throws IOException {
    Suite suite = group.suite();
    // Foreign programs run in separate processes in any case.
    int jvms = suite.foreign(row) ? 1 : Math.max(processes, suite.promise(row).processes());
    Path watched = profiler == null ? null : folder.profile(row, round, profiler).toAbsolutePath();
    Job job =
        job(
            row,
            null,
            round,
            suite.settings(row, profile.settings()),
            jvms,
            group.load(row),
            List.of(folder.samples(row, round)),
            profiler,
            watched);
    measurements.run(List.of(row), job, suite.flags(row), suite.classPath(row));
  }

  private void runFork(CeilingFork fork, int round) throws IOException {
    Load load = fork.load();
    Settings settings = load == null ? profile.settings() : load.of(profile.settings());
    List<Path> samples = fork.keys().stream().map(k -> folder.samples(k, round)).toList();
    Job job = job(null, fork, round, settings, 1, load, samples, null, null);
    measurements.run(fork.keys(), job, List.of(), List.of());
  }

  private Job job(
      @Nullable RowKey row,
      @Nullable CeilingFork ceilings,
      int round,
      Settings settings,
      int jvms,
      @Nullable Load load,
      List<Path> samples,
      @Nullable Profiler watch,
      @Nullable Path watched)
      throws IOException {
    LoadFiles.Source source = loadFiles.source(load);
    return new Job(
        row,
        ceilings,
        load,
        round,
        settings,
        jvms,
        work.store(),
        work.client(),
        source.file(),
        source.bytes(),
        source.sha256(),
        samples.stream().map(Path::toAbsolutePath).toList(),
        work.root().resolve("failure"),
        watch,
        watched);
  }

  private List<RowRun> rows() {
    List<RowRun> rows = new ArrayList<>();
    for (Plan.Group group : plan.groups()) {
      group.rows().forEach(row -> rows.add(row(group, row)));
    }
    return rows;
  }

  private RowRun row(Plan.Group group, RowKey row) {
    List<Sample> measured = measurements.samples(row);
    Status status = Status.OK;
    String reason = measurements.failure(row);
    if (reason != null) {
      status = Status.FAILED;
    } else if (measured.isEmpty()) {
      status = Status.SKIPPED;
      reason = obstacles.getOrDefault(row, NOT_RUN);
    }
    Suite.Promise promise = group.suite().promise(row);
    return new RowRun(
        row,
        group.baseline(),
        status,
        reason,
        promise.codec(),
        Math.max(processes, promise.processes()),
        group.load(row),
        group.table().unit(),
        group.suite().flags(row),
        group.suite().ceilings(row),
        measured);
  }

  @Override
  public void close() throws IOException {
    work.close();
  }
}
