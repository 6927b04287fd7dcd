package dev.ferry.lab.run;

import dev.ferry.lab.model.DisturbedFork;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.model.Unit;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was measured so far: the samples, failures and disturbed forks of rows and ceilings. Used by
 * one thread.
 */
public final class Measurements {
  /** So many replacements in a row that are disturbed as well show that the machine is busy. */
  private static final int MOST_FUTILE = 2;

  private static final String NOT_RUN = "the run ended before it";

  private final RunFolder folder;
  private final Cancellation cancellation;
  private final Map<RowKey, List<Sample>> samples = new HashMap<>();
  private final Map<RowKey, String> failures = new HashMap<>();
  private final Map<RowKey, List<DisturbedFork>> disturbed = new HashMap<>();
  private final int processors;
  private int replacementsLeft;

  /** The rows of a fork that another one is about to replace. */
  private @Nullable List<RowKey> replaced;

  /** How many replacements in a row were disturbed as well. */
  private int futile;

  /**
   * Creates an empty collection.
   *
   * @param replacements how many disturbed forks of the run may be replaced, so that a busy machine
   *     does not run for ever
   * @param processors the number of processors that the rows have
   */
  Measurements(RunFolder folder, Cancellation cancellation, int replacements, int processors) {
    this.processors = processors;
    this.replacementsLeft = replacements;
    this.folder = folder;
    this.cancellation = cancellation;
  }

  /**
   * Adds the samples of a fork that has ended.
   *
   * @param keys what it measured, in the order of the job's sample files
   * @param failure the reason of a failure; null if the fork succeeded
   */
  void add(List<RowKey> keys, Job job, @Nullable String failure) throws IOException {
    int wanted = job.settings().samplesPerRound();
    for (int i = 0; i < keys.size(); i++) {
      RowKey key = keys.get(i);
      addRepeats(key, job.samples().get(i), job.round());
      List<Sample> measured = Sample.read(job.samples().get(i));
      samples.computeIfAbsent(key, k -> new ArrayList<>()).addAll(measured);
      String reason =
          failure != null || measured.size() == wanted
              ? failure
              : "the measuring JVM left %d samples of %d".formatted(measured.size(), wanted);
      // A fork that was killed by a cancellation has not failed.
      if (reason != null && !cancellation.isCancelled()) {
        failures.put(key, reason);
      }
    }
  }

  /** Notes the samples that a fork has taken again. */
  private void addRepeats(RowKey row, Path file, int round) throws IOException {
    List<DisturbedFork> forks = disturbed.computeIfAbsent(row, r -> new ArrayList<>());
    for (int number = 1; ; number++) {
      Path kept = RunFolder.repeated(file, number);
      if (Files.notExists(kept)) {
        return;
      }
      String samples = name(kept);
      if (forks.stream().noneMatch(fork -> samples.equals(fork.samples()))) {
        String reason = ForkCheck.disturbance(Sample.read(kept), processors);
        forks.add(new DisturbedFork(round, Objects.requireNonNullElse(reason, ""), samples, true));
      }
    }
  }

  private String name(Path samples) {
    return folder.root().toAbsolutePath().relativize(samples).toString();
  }

  /**
   * Takes the samples of a fork over from an earlier start of the run.
   *
   * @param keys what it measured, in the order of the job's sample files
   * @return whether the fork had ended
   */
  boolean takeOver(List<RowKey> keys, Job job) throws IOException {
    List<List<Sample>> measured = new ArrayList<>();
    for (Path file : job.samples()) {
      measured.add(Sample.read(file));
    }
    int wanted = job.settings().samplesPerRound();
    if (measured.stream().anyMatch(m -> m.size() != wanted)) {
      return false;
    }
    for (int i = 0; i < keys.size(); i++) {
      samples.computeIfAbsent(keys.get(i), k -> new ArrayList<>()).addAll(measured.get(i));
    }
    return true;
  }

  /** Takes the disturbed forks of a row over from an earlier start of the run. */
  void takeOver(RowKey row, List<DisturbedFork> forks) {
    disturbed.put(row, new ArrayList<>(forks));
  }

  /**
   * Notes that a fork of rows was disturbed.
   *
   * <p>A fork that replaced another one is not replaced. If two of them in a row were disturbed as
   * well, the machine is busy and no fork unlucky: none is replaced from then on.
   *
   * @param mayReplace whether there is time for another fork
   * @return whether another fork is to replace it
   */
  boolean replaces(Job job, BooleanSupplier mayReplace) throws IOException {
    String reason = job.profiler() == null ? disturbance(job) : null;
    boolean second = job.rows().equals(replaced);
    replaced = null;
    if (reason == null) {
      futile = second ? 0 : futile;
      return false;
    }
    if (second && ++futile == MOST_FUTILE) {
      replacementsLeft = 0;
    }
    boolean again = !second && replacementsLeft > 0 && mayReplace.getAsBoolean();
    if (again) {
      replacementsLeft--;
      replaced = job.rows();
    }
    for (int i = 0; i < job.rows().size(); i++) {
      List<DisturbedFork> forks =
          disturbed.computeIfAbsent(job.rows().get(i), r -> new ArrayList<>());
      String samples = null;
      if (again) {
        Path file = job.samples().get(i);
        long judged = forks.stream().filter(fork -> !fork.repeated()).count();
        Path kept = RunFolder.replaced(file, (int) judged + 1);
        Files.move(file, kept);
        samples = name(kept);
      }
      forks.add(new DisturbedFork(job.round(), reason, samples, false));
    }
    return again;
  }

  private @Nullable String disturbance(Job job) throws IOException {
    if (job.rows().get(0).isCeiling()) {
      return null;
    }
    List<Sample> all = new ArrayList<>();
    for (Path file : job.samples()) {
      all.addAll(Sample.read(file));
    }
    return ForkCheck.disturbance(all, processors);
  }

  /** Returns the disturbed forks of a row so far. */
  List<DisturbedFork> disturbed(RowKey row) {
    return disturbed.getOrDefault(row, List.of());
  }

  /** Returns the reason of the first of them that failed in any round; null if none did. */
  @Nullable String failure(List<RowKey> keys) {
    return keys.stream().map(failures::get).flatMap(Stream::ofNullable).findFirst().orElse(null);
  }

  private List<Sample> samples(RowKey key) {
    return samples.getOrDefault(key, List.of());
  }

  /** Returns the rows of a run with their samples so far, in the order of the plan. */
  public List<RowRun> rows(RunSetup setup) {
    List<RowRun> rows = new ArrayList<>();
    for (RunPlan.Group group : setup.request().plan().groups()) {
      Table table = group.table();
      group.specs().forEach(row -> rows.add(row(setup, table.baseline(), table.unit(), row)));
    }
    return rows;
  }

  private RowRun row(RunSetup setup, @Nullable String baseline, Unit unit, RowSpec row) {
    List<Sample> measured = samples(row.key());
    Status status = Status.OK;
    String reason = failures.get(row.key());
    if (reason != null) {
      status = Status.FAILED;
    } else if (measured.isEmpty()) {
      status = Status.SKIPPED;
      reason = Objects.requireNonNullElse(setup.obstacle(row.key()), NOT_RUN);
    }
    return new RowRun(
        row.key(),
        baseline,
        status,
        reason,
        new Row.Setup(
            row.promise().codec().label(),
            row.work().digest(),
            row.work().load(),
            setup.processes(row),
            setup.flags(row)),
        unit,
        row.bounds().ceilings(),
        measured,
        disturbed(row.key()));
  }

  /** Returns the ceilings of a run with their samples so far, in their order. */
  public List<RowRun> ceilings(RunSetup setup) {
    return setup.ceilings().stream()
        .flatMap(fork -> fork.keys().stream())
        .map(key -> row(setup, null, Unit.MILLIS, setup.row(key)))
        .toList();
  }
}
