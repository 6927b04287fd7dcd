package dev.ferry.lab.run;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.CeilingRun;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.RunDocument.SourceFile;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Measures the ceilings of a run, some of them in one fork, and keeps their samples. */
final class CeilingRuns {
  private final List<List<CeilingName>> forks;
  private final Settings settings;
  private final RunFolder folder;
  private final WorkFolder work;
  private final SourceFile file;
  private final Cancellation cancellation;
  private final Map<CeilingName, List<Sample>> samples = new EnumMap<>(CeilingName.class);
  private final Map<CeilingName, String> failures = new EnumMap<>(CeilingName.class);

  CeilingRuns(
      List<List<CeilingName>> forks,
      Settings settings,
      RunFolder folder,
      WorkFolder work,
      SourceFile file,
      Cancellation cancellation) {
    this.forks = forks;
    this.settings = settings;
    this.folder = folder;
    this.work = work;
    this.file = file;
    this.cancellation = cancellation;
  }

  /** The ceilings of each fork of a round. */
  List<List<CeilingName>> forks() {
    return forks;
  }

  /** Whether a fork failed in an earlier round, and so is not run again. */
  boolean failed(List<CeilingName> fork) {
    return fork.stream().anyMatch(failures::containsKey);
  }

  /** Runs one fork. */
  void run(List<CeilingName> fork, int round) throws IOException {
    CeilingJob job =
        new CeilingJob(
            fork,
            round,
            settings,
            work.store(),
            work.client(),
            work.source(),
            file.bytes(),
            file.sha256(),
            folder.root().toAbsolutePath(),
            work.root().resolve("failure"));
    String failure = Fork.run(job, work.root().resolve("job.json"), work.temporary(), folder.log());
    for (CeilingName name : fork) {
      List<Sample> measured = SampleLog.read(folder.samples(name, round));
      samples.computeIfAbsent(name, k -> new ArrayList<>()).addAll(measured);
      String reason = failure;
      if (reason == null && measured.size() != settings.samplesPerRound()) {
        reason =
            "the measuring JVM left %d samples of %d"
                .formatted(measured.size(), settings.samplesPerRound());
      }
      // A fork that was killed failed at nothing.
      if (reason != null && !cancellation.isCancelled()) {
        failures.put(name, reason);
      }
    }
  }

  /** All that was measured so far. */
  List<CeilingRun> runs() {
    return forks.stream().flatMap(List::stream).map(this::run).toList();
  }

  /** What was measured so far in a fork. */
  List<CeilingRun> runs(List<CeilingName> fork) {
    return fork.stream().map(this::run).toList();
  }

  private CeilingRun run(CeilingName name) {
    List<Sample> measured = samples.getOrDefault(name, List.of());
    String reason = failures.get(name);
    if (reason != null) {
      return new CeilingRun(name, Status.FAILED, reason, measured);
    }
    return measured.isEmpty()
        ? new CeilingRun(name, Status.SKIPPED, "the run ended before it", measured)
        : new CeilingRun(name, Status.OK, null, measured);
  }
}
