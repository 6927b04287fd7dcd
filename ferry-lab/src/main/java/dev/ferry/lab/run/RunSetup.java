package dev.ferry.lab.run;

import dev.ferry.lab.ceiling.MachineSuite;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.model.RunDocument.Ferry;
import dev.ferry.lab.model.RunDocument.SourceFile;
import dev.ferry.lab.network.NetworkSession;
import dev.ferry.lab.network.Networks;
import dev.ferry.lab.network.WireEnds;
import dev.ferry.lab.run.jvm.EnvironmentProbe;
import dev.ferry.lab.run.profiler.SampleProfiler;
import dev.ferry.lab.run.server.RemoteServer;
import dev.ferry.lab.suite.Pin;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RunPlan;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a run is made of: the request, and what was prepared for it. {@code close} deletes all
 * temporary files and unlocks the run folder. Used by one thread.
 *
 * @param network null for the loopback
 * @param folder the folder of the results
 * @param work the folder of temporary files
 * @param file the file to transfer
 * @param before the environment before the run
 * @param server the environment of the server's machine; null if it is this one
 * @param ceilings the forks of ceilings of a round in which they are measured
 * @param rows all rows and ceilings
 * @param obstacles why rows cannot run here
 */
public record RunSetup(
    BenchRequest request,
    @Nullable Pin pin,
    @Nullable NetworkSession network,
    RunFolder folder,
    FileChannel lock,
    WorkFolder work,
    SourceFile file,
    Environment before,
    @Nullable Environment server,
    List<RowFork> ceilings,
    Map<RowKey, RowSpec> rows,
    Map<RowKey, String> obstacles)
    implements AutoCloseable {
  /**
   * Checks the request before anything is created for it. Then creates the run folder, the work
   * folder and the file to transfer.
   *
   * @param network the network between the two ends, which the caller closes; null for the loopback
   * @throws LabException if the run cannot start
   */
  public static RunSetup prepare(
      BenchRequest request, @Nullable NetworkSession network, Clock clock)
      throws LabException, IOException {
    if (!request.distant()) {
      requireRowsOverLoopback(request.plan());
    }
    if (request.file() != null) {
      long unused = requireFile(request.file());
    }
    if (request.profiler() != null) {
      SampleProfiler.require(request.profiler());
    }
    Pin pin = request.pin() ? Pin.halves() : null;
    RemoteServer remote = request.server();
    Environment server = remote == null ? null : remote.environment();
    RunDocument resumed = request.resumed();
    RunFolder folder =
        resumed == null ? RunFolder.create(request.out()) : new RunFolder(request.out());
    FileChannel lock = folder.lock();
    WorkFolder work = null;
    try {
      work = WorkFolder.create(request.workFolder().toAbsolutePath());
      SourceFile file =
          work.fetch(request.file(), request.generatedBytes(), request.plan().loads());
      List<RowFork> ceilings = request.plan().ceilingForks(request.distant());
      RunSetup setup =
          new RunSetup(
              request,
              pin,
              network,
              folder,
              lock,
              work,
              file,
              EnvironmentProbe.probe(work.root(), request.jvms(), clock.instant()),
              server,
              ceilings,
              rows(request.plan(), ceilings),
              obstacles(request, pin != null));
      if (resumed != null) {
        setup.requireSame(resumed);
      }
      return setup;
    } catch (LabException | RuntimeException e) {
      try (lock) {
        if (work != null) {
          work.close();
        }
      }
      throw e;
    }
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

  private static Map<RowKey, RowSpec> rows(RunPlan plan, List<RowFork> ceilings) {
    Map<RowKey, RowSpec> rows = new HashMap<>();
    MachineSuite machine = new MachineSuite();
    ceilings.forEach(fork -> fork.keys().forEach(key -> rows.put(key, machine.row(key))));
    plan.specs().forEach(row -> rows.put(row.key(), row));
    return rows;
  }

  private static Map<RowKey, String> obstacles(BenchRequest request, boolean pinned) {
    Map<RowKey, String> obstacles = new LinkedHashMap<>();
    String foreign = RunPlan.foreignObstacle(pinned, request.server() != null);
    for (RunPlan.Group group : request.plan().groups()) {
      for (RowSpec row : group.specs()) {
        String obstacle = group.obstacle(row, foreign, request.distant());
        if (obstacle != null) {
          obstacles.put(row.key(), obstacle);
        }
      }
    }
    return obstacles;
  }

  private static void requireRowsOverLoopback(RunPlan plan) throws LabException {
    if (plan.groups().stream().allMatch(group -> group.suite().needsNetwork())) {
      throw LabException.usage(
          "suite %s needs a network between its two ends; give --network country, or one of %s"
              .formatted(plan.groups().get(0).suite().name(), Networks.NAMES));
    }
  }

  /** A run has one machine, one build and one file. */
  private void requireSame(RunDocument resumed) throws LabException {
    String differs =
        !resumed.ferry().equals(ferry())
            ? "build of Ferry"
            : !resumed.file().equals(file)
                ? "file"
                : !resumed.environment().sameMachine(before)
                        || !Environment.sameMachine(resumed.server(), server)
                    ? "machine or JDK"
                    : null;
    if (differs != null) {
      throw LabException.failure(
          "the run cannot be resumed, because another %s made it; start a new run"
              .formatted(differs));
    }
  }

  /** Returns the build that measures. */
  public Ferry ferry() {
    return EnvironmentProbe.ferry();
  }

  /** Returns the environment with the current load as the load after the run. */
  public Environment environment() {
    return before.withLoadAfter(EnvironmentProbe.load());
  }

  /** Returns the number of processors that the rows have, on both machines if there are two. */
  int processors() {
    return before.cores() + (server == null ? 0 : server.cores());
  }

  /** Returns how to get to the ends of the network; null for the loopback. */
  @Nullable WireEnds wireEnds() {
    return network == null ? null : network.ends();
  }

  /** Returns a row or a ceiling. */
  RowSpec row(RowKey key) {
    return Objects.requireNonNull(rows.get(key));
  }

  /** Returns why a row cannot run here; null if it can. */
  @Nullable String obstacle(RowKey row) {
    return obstacles.get(row);
  }

  /** Returns the number of processes that share the work of a row. */
  int processes(RowSpec row) {
    if (row.key().isCeiling()) {
      // A socket needs a process at each end of a network.
      return request.distant() && !isCodec(row) ? 2 : 1;
    }
    return Math.max(request.processes(), row.promise().processes());
  }

  /** Returns the additional flags of the JVM of a row. */
  List<String> flags(RowSpec row) {
    List<String> flags = new ArrayList<>(row.needs().flags());
    if (pin != null && !isCodec(row)) {
      flags.addAll(pin.flags());
    }
    return flags;
  }

  /** Codecs have no ends, and use all processors, as both ends of a row together do. */
  private static boolean isCodec(RowSpec row) {
    return row.key().isCeiling() && CeilingName.of(row.key()).compresses();
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      work.close();
    }
  }
}
