package dev.ferry.lab.run;

import dev.ferry.core.FerryException;
import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.run.jvm.ForkFlags;
import dev.ferry.lab.run.jvm.Jvm;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.run.server.RemoteServer;
import dev.ferry.lab.suite.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the forks of rows and ceilings, one at a time. Used by one thread. */
final class ForkRunner {
  private final RunSetup setup;
  private final Measurements measurements;
  private final Cancellation cancellation;
  private final LoadFiles loadFiles;

  /**
   * Creates a runner.
   *
   * @param measurements get the samples and failures of the forks
   */
  ForkRunner(RunSetup setup, Measurements measurements, Cancellation cancellation) {
    this.setup = setup;
    this.measurements = measurements;
    this.cancellation = cancellation;
    this.loadFiles = new LoadFiles(setup.work().source(), setup.file());
  }

  /**
   * Runs a fork of a row, unless an earlier start of the run did.
   *
   * @return whether the fork was run
   */
  boolean run(Plan.Group group, RowKey row, int round) throws IOException {
    // Foreign programs run in separate processes in any case. Over a network the process that
    // starts the server has to be at the server's end.
    int processes =
        group.foreign(row) && setup.wireEnds() == null ? 1 : setup.processes(group, row);
    Settings settings = group.settings(row, setup.request().profile().settings());
    Job job =
        job(
            row,
            null,
            round,
            settings,
            processes,
            group.load(row),
            List.of(setup.folder().samples(row, round)));
    return run(List.of(row), job, setup.flags(group, row), group.classPath(row));
  }

  /**
   * Runs a fork of ceilings, unless an earlier start of the run did.
   *
   * @return whether the fork was run
   */
  boolean run(CeilingFork fork, int round) throws IOException {
    Settings profile = setup.request().profile().settings();
    Load load = fork.load();
    Settings settings = load == null ? profile : load.of(profile);
    List<Path> samples = fork.keys().stream().map(k -> setup.folder().samples(k, round)).toList();
    // A socket needs a process at each end of a network. Codecs need none.
    boolean apart = setup.wireEnds() != null || setup.request().server() != null;
    int processes = apart && !fork.names().get(0).compresses() ? 2 : 1;
    Job job = job(null, fork, round, settings, processes, load, samples);
    return run(fork.keys(), job, setup.flags(fork), List.of());
  }

  private Job job(
      @Nullable RowKey row,
      @Nullable CeilingFork ceilings,
      int round,
      Settings settings,
      int processes,
      @Nullable Load load,
      List<Path> samples)
      throws IOException {
    LoadFiles.Source source = loadFiles.source(load);
    WorkFolder work = setup.work();
    Profiler profiler = row == null ? null : setup.request().profiler();
    return new Job(
        row,
        ceilings,
        load,
        round,
        settings,
        processes,
        setup.request().server(),
        work.store(),
        work.client(),
        source.file(),
        source.bytes(),
        source.sha256(),
        samples.stream().map(Path::toAbsolutePath).toList(),
        work.root().resolve("failure"),
        profiler,
        row == null || profiler == null
            ? null
            : setup.folder().profile(row, round, profiler).toAbsolutePath());
  }

  /** Without the server every other row would fail as well, and lose what was measured of it. */
  private void requireThere(RemoteServer server) throws IOException {
    try {
      server.requireThere();
    } catch (FerryException e) {
      throw new FerryException(
          e.kind(),
          "%s; what was measured is in %s, and ferry bench --resume goes on with it"
              .formatted(e.getMessage(), setup.folder().root()),
          e);
    }
  }

  /** Runs a job. If it measures a row and was disturbed, another fork replaces it. */
  private boolean run(List<?> keys, Job job, List<String> flags, List<Path> classPath)
      throws IOException {
    if (measurements.takeOver(keys, job)) {
      return false;
    }
    for (Path file : job.samples()) {
      // A fork that an earlier start of the run did not end.
      Files.deleteIfExists(file);
    }
    WorkFolder work = setup.work();
    Path jobFile = work.root().resolve("job.json");
    Jvms jvms = setup.request().jvms();
    Jvm jvm = jvms.of(job.row());
    List<String> all = ForkFlags.of(jvm, jvms.flags(), jobFile, work.temporary());
    all.addAll(flags);
    RemoteServer server = setup.request().server();
    if (server != null) {
      all.add(server.hostFlag());
    }
    String failure;
    do {
      failure = Fork.run(job, jvm, all, classPath, jobFile, setup.folder().log(), setup.wireEnds());
    } while (failure == null && !cancellation.isCancelled() && measurements.replaces(job));
    if (failure != null && server != null && !cancellation.isCancelled()) {
      requireThere(server);
    }
    measurements.add(keys, job, failure);
    if (measurements.failure(keys) != null) {
      // The targets of a large load would leave too little disk space for other forks.
      work.clear();
    }
    return true;
  }
}
