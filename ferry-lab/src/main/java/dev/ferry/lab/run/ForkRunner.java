package dev.ferry.lab.run;

import dev.ferry.core.FerryException;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.network.WireEnds;
import dev.ferry.lab.run.jvm.ForkFlags;
import dev.ferry.lab.run.jvm.Jvm;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.run.server.RemoteServer;
import dev.ferry.lab.suite.RowSpec;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs the forks of rows and ceilings, one at a time. Used by one thread. */
final class ForkRunner {
  private static final String NO_NETWORK = "the process of the network ended early";

  private final RunSetup setup;
  private final Measurements measurements;
  private final Cancellation cancellation;
  private final LoadFiles loadFiles;

  /** Rows that do not share a fork any more, since such a fork failed. */
  private final Set<RowFork> apart = new HashSet<>();

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
   * Runs a fork, unless an earlier start of the run did. If rows that share it fail, each of them
   * is run alone, so that a failure is that of one row.
   *
   * @param limit how long it may take; null if it may take as long as it needs
   * @param mayReplace whether another fork may replace it if it was disturbed
   * @return whether the fork was run
   */
  boolean run(RowFork fork, int round, @Nullable Duration limit, BooleanSupplier mayReplace)
      throws IOException {
    List<RowKey> rows = fork.keys();
    if (apart.contains(fork)) {
      return runApart(rows, round, limit, mayReplace);
    }
    RowSpec first = setup.row(fork.first());
    Job job = job(rows, first, round, limit);
    if (measurements.takeOver(rows, job)) {
      return false;
    }
    String failure = run(job, setup.flags(first), mayReplace);
    if (failure != null && rows.size() > 1 && !fork.isCeiling() && !cancellation.isCancelled()) {
      apart.add(fork);
      setup.work().clear();
      return runApart(rows, round, limit, mayReplace);
    }
    add(rows, job, failure);
    return true;
  }

  private boolean runApart(
      List<RowKey> rows, int round, @Nullable Duration limit, BooleanSupplier mayReplace)
      throws IOException {
    boolean measured = false;
    for (RowKey row : rows) {
      if (!cancellation.isCancelled()) {
        measured |= run(new RowFork(List.of(row)), round, limit, mayReplace);
      }
    }
    return measured;
  }

  private Job job(List<RowKey> rows, RowSpec first, int round, @Nullable Duration limit)
      throws IOException {
    LoadFiles.Source source = loadFiles.source(first.work().load());
    WorkFolder work = setup.work();
    Profiler profiler = first.key().isCeiling() ? null : setup.request().profiler();
    return new Job(
        rows,
        first.work().load(),
        round,
        first.work().settings().apply(setup.request().profile().settings()),
        limit == null ? 0 : Math.max(1, limit.toMillis()),
        // Foreign programs run in separate processes in any case. Over a network the process that
        // starts the server has to be at the server's end.
        first.needs().foreign() && setup.wireEnds() == null ? 1 : setup.processes(first),
        setup.request().server(),
        work.store(),
        work.client(),
        source.file(),
        source.bytes(),
        source.sha256(),
        rows.stream().map(row -> setup.folder().samples(row, round).toAbsolutePath()).toList(),
        work.root().resolve("failure"),
        profiler,
        profiler == null
            ? null
            : setup.folder().profile(first.key(), round, profiler).toAbsolutePath());
  }

  /** Without the server every other row would fail as well, and lose what was measured of it. */
  private void requireThere(RemoteServer server) throws IOException {
    try {
      server.requireThere();
    } catch (FerryException e) {
      throw new FerryException(
          e.kind(),
          "%s; what was measured is in %s, and ferry bench --resume continues the run"
              .formatted(e.getMessage(), setup.folder().root()),
          e);
    }
  }

  /**
   * Runs a job. If it was disturbed, another fork may replace it.
   *
   * @return the reason of a failure; null if it succeeded
   */
  private @Nullable String run(Job job, List<String> flags, BooleanSupplier mayReplace)
      throws IOException {
    for (Path file : job.samples()) {
      // A fork that an earlier start of the run did not end, or that failed with its companions.
      Files.deleteIfExists(file);
    }
    WorkFolder work = setup.work();
    Path jobFile = work.root().resolve("job.json");
    Jvms jvms = setup.request().jvms();
    Jvm jvm = jvms.of(job.rows().get(0));
    List<String> command = new ArrayList<>(List.of(jvm.program().toString()));
    command.addAll(ForkFlags.of(jvm, jvms.flags(), jobFile, work.temporary()));
    command.addAll(flags);
    RemoteServer server = setup.request().server();
    if (server != null) {
      command.add(server.hostFlag());
    }
    job.write(jobFile);
    String failure;
    do {
      failure = runOnce(job, command);
    } while (failure == null
        && !cancellation.isCancelled()
        && measurements.replaces(job, mayReplace));
    if (failure != null && server != null && !cancellation.isCancelled()) {
      requireThere(server);
    }
    return failure;
  }

  /**
   * Runs a job to its end.
   *
   * @param command its JVM with all flags
   * @return the reason of a failure; null if the job succeeded
   */
  private @Nullable String runOnce(Job job, List<String> command) throws IOException {
    WireEnds ends = setup.wireEnds();
    Path log = setup.folder().log();
    Files.deleteIfExists(job.failure());
    List<String> all = new ArrayList<>(command);
    if (ends != null) {
      all.addAll(ends.flags());
    }
    Files.writeString(
        log,
        "%n%s, round %d%n%s%n".formatted(job.title(), job.round() + 1, String.join(" ", all)),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    all.add("-cp");
    all.add(System.getProperty("java.class.path", ""));
    all.add(ForkMain.class.getName());
    CompletableFuture<?> network = ends == null ? new CompletableFuture<>() : ends.onExit();
    if (network.isDone()) {
      return NO_NETWORK;
    }
    Process process;
    try {
      process =
          new ProcessBuilder(ends == null ? all : ends.client(all))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      // The JVM was removed, or a cancellation has killed what was about to become it.
      return "the measuring JVM did not start: " + Reason.of(e);
    }
    try {
      CompletableFuture.anyOf(process.onExit(), network).get();
      if (process.isAlive() || network.isDone()) {
        return NO_NETWORK;
      }
      int status = process.exitValue();
      return Files.exists(job.failure())
          ? Files.readString(job.failure())
          : status == 0
              ? null
              : "the measuring JVM ended with exit code " + status + "; see " + log.getFileName();
    } catch (ExecutionException e) {
      throw new IOException("no end of a fork: " + Reason.ofCause(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a fork ran");
    } finally {
      process.destroyForcibly();
    }
  }

  private void add(List<RowKey> keys, Job job, @Nullable String failure) throws IOException {
    measurements.add(keys, job, failure);
    if (measurements.failure(keys) != null) {
      // The targets of a large load would leave too little disk space for other forks.
      setup.work().clear();
    }
  }
}
