package dev.ferry.lab.run;

import dev.ferry.lab.model.CeilingKey;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the forks of a run and collects their samples and failures by {@link RowKey} or {@link
 * CeilingKey}. Used by one thread.
 */
final class Measurements {
  private final RunFolder folder;
  private final WorkFolder work;
  private final Cancellation cancellation;
  private final Map<Object, List<Sample>> samples = new HashMap<>();
  private final Map<Object, String> failures = new HashMap<>();

  Measurements(RunFolder folder, WorkFolder work, Cancellation cancellation) {
    this.folder = folder;
    this.work = work;
    this.cancellation = cancellation;
  }

  /**
   * Runs one fork.
   *
   * @param keys what it measures, in the order of the job's sample files
   * @param flags the additional flags of its JVM
   * @param classPath the class path of its JVM; if empty, the class path of this process
   */
  void run(List<?> keys, Job job, List<String> flags, List<Path> classPath) throws IOException {
    String failure =
        Fork.run(
            job, flags, classPath, work.root().resolve("job.json"), work.temporary(), folder.log());
    int wanted = job.settings().samplesPerRound();
    for (int i = 0; i < keys.size(); i++) {
      Object key = keys.get(i);
      List<Sample> measured = SampleLog.read(job.samples().get(i));
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
