package dev.ferry.lab.run;

import dev.ferry.lab.model.CeilingKey;
import dev.ferry.lab.model.DisturbedFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the forks of a run and collects their samples and failures by {@link RowKey} or {@link
 * CeilingKey}. Used by one thread.
 */
final class Measurements {
  /** The maximum number of disturbed forks of a row, after which they are kept. */
  private static final int MOST_REPLACEMENTS = 2;

  private final RunFolder folder;
  private final WorkFolder work;
  private final Cancellation cancellation;
  private final Map<Object, List<Sample>> samples = new HashMap<>();
  private final Map<Object, String> failures = new HashMap<>();
  private final Map<Object, List<DisturbedFork>> disturbed = new HashMap<>();
  private int replacementsLeft;

  /**
   * Creates an empty collection.
   *
   * @param replacements how many disturbed forks of the run may be replaced, so that a busy machine
   *     does not run for ever
   */
  Measurements(RunFolder folder, WorkFolder work, Cancellation cancellation, int replacements) {
    this.replacementsLeft = replacements;
    this.folder = folder;
    this.work = work;
    this.cancellation = cancellation;
  }

  /**
   * Runs one fork. If it measures a row and was disturbed, another fork replaces it.
   *
   * @param keys what it measures, in the order of the job's sample files
   * @param flags the additional flags of its JVM
   * @param classPath the class path of its JVM; if empty, the class path of this process
   */
  void run(List<?> keys, Job job, List<String> flags, List<Path> classPath) throws IOException {
    for (Path file : job.samples()) {
      // A fork that an earlier start of the run did not end.
      Files.deleteIfExists(file);
    }
    String failure;
    do {
      failure =
          Fork.run(
              job,
              flags,
              classPath,
              work.root().resolve("job.json"),
              work.temporary(),
              folder.log());
    } while (failure == null && !cancellation.isCancelled() && replaces(job));
    int wanted = job.settings().samplesPerRound();
    for (int i = 0; i < keys.size(); i++) {
      Object key = keys.get(i);
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
    if (failed(keys)) {
      // The targets of a large load would leave too little disk space for other forks.
      work.clear();
    }
  }

  /**
   * Takes the samples of a fork over from an earlier start of the run.
   *
   * @param keys what it measured, in the order of the job's sample files
   * @return whether the fork had ended
   */
  boolean takeOver(List<?> keys, Job job) throws IOException {
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

  /** Notes that the fork of a row was disturbed. Returns whether another one is to replace it. */
  boolean replaces(Job job) throws IOException {
    Path file = job.samples().get(0);
    String reason =
        job.row() == null || job.profiler() != null
            ? null
            : ForkCheck.disturbance(Sample.read(file), Runtime.getRuntime().availableProcessors());
    if (reason == null) {
      return false;
    }
    List<DisturbedFork> forks =
        disturbed.computeIfAbsent(Objects.requireNonNull(job.row()), r -> new ArrayList<>());
    boolean again = forks.size() < MOST_REPLACEMENTS && replacementsLeft > 0;
    String samples = null;
    if (again) {
      replacementsLeft--;
      Path kept = folder.replaced(file, forks.size() + 1);
      Files.move(file, kept);
      samples = folder.root().toAbsolutePath().relativize(kept).toString();
    }
    forks.add(new DisturbedFork(job.round(), reason, samples));
    return again;
  }

  /** Returns the disturbed forks of a row so far. */
  List<DisturbedFork> disturbed(RowKey row) {
    return disturbed.getOrDefault(row, List.of());
  }

  /** Returns whether one of them failed in any round. */
  boolean failed(List<?> keys) {
    return keys.stream().anyMatch(failures::containsKey);
  }

  /** Returns the reason of a failure; null if there was none. */
  @Nullable String failure(Object key) {
    return failures.get(key);
  }

  /** Returns all samples so far. */
  List<Sample> samples(Object key) {
    return samples.getOrDefault(key, List.of());
  }
}
