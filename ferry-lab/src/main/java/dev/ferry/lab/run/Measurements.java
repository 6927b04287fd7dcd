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
 * Runs the forks of a run, and keeps what they measured and why they failed, by {@link RowKey} or
 * {@link CeilingKey}. Used by one thread.
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
   * @param keys what it measures, in the order of the job's files of samples
   * @param flags of its JVM beside those that all have
   * @param classPath of its JVM; empty for that of this process
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
      // A fork that was killed failed at nothing.
      if (reason != null && !cancellation.isCancelled()) {
        failures.put(key, reason);
      }
    }
    if (failed(keys)) {
      // Targets of a heavy load would leave too little room for other forks.
      work.clear();
    }
  }

  /** Whether one of them failed, in whichever round. */
  boolean failed(List<?> keys) {
    return keys.stream().anyMatch(failures::containsKey);
  }

  /** Why it failed; null if it did not. */
  @Nullable String failure(Object key) {
    return failures.get(key);
  }

  /** All samples so far. */
  List<Sample> samples(Object key) {
    return samples.getOrDefault(key, List.of());
  }
}
