package dev.ferry.lab.run;

import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.CeilingKey;
import dev.ferry.lab.model.CeilingRun;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measures the ceilings of a run, some of them in one fork, and keeps their samples. */
final class CeilingRuns {
  private final List<CeilingFork> forks;
  private final Settings settings;
  private final RunFolder folder;
  private final WorkFolder work;
  private final LoadFiles files;
  private final Cancellation cancellation;
  private final Map<CeilingKey, List<Sample>> samples = new HashMap<>();
  private final Map<CeilingKey, String> failures = new HashMap<>();

  CeilingRuns(
      List<CeilingFork> forks,
      Settings settings,
      RunFolder folder,
      WorkFolder work,
      LoadFiles files,
      Cancellation cancellation) {
    this.forks = forks;
    this.settings = settings;
    this.folder = folder;
    this.work = work;
    this.files = files;
    this.cancellation = cancellation;
  }

  /** The ceilings of each fork of a round. */
  List<CeilingFork> forks() {
    return forks;
  }

  /** Whether a fork failed in an earlier round, and so is not run again. */
  boolean failed(CeilingFork fork) {
    return fork.keys().stream().anyMatch(failures::containsKey);
  }

  /** Runs one fork. */
  void run(CeilingFork fork, int round) throws IOException {
    Load load = fork.load();
    LoadFiles.Source source = files.source(load);
    Settings ofLoad = load == null ? settings : load.of(settings);
    CeilingJob job =
        new CeilingJob(
            fork,
            round,
            ofLoad,
            work.store(),
            work.client(),
            source.file(),
            source.bytes(),
            source.sha256(),
            folder.root().toAbsolutePath(),
            work.root().resolve("failure"));
    String failure = Fork.run(job, work.root().resolve("job.json"), work.temporary(), folder.log());
    for (CeilingKey ceiling : fork.keys()) {
      List<Sample> measured = SampleLog.read(folder.samples(ceiling, round));
      samples.computeIfAbsent(ceiling, k -> new ArrayList<>()).addAll(measured);
      String reason = failure;
      if (reason == null && measured.size() != ofLoad.samplesPerRound()) {
        reason =
            "the measuring JVM left %d samples of %d"
                .formatted(measured.size(), ofLoad.samplesPerRound());
      }
      // A fork that was killed failed at nothing.
      if (reason != null && !cancellation.isCancelled()) {
        failures.put(ceiling, reason);
      }
    }
    if (failed(fork)) {
      // Targets of a heavy load would leave too little room for the rows.
      work.clear();
    }
  }

  /** All that was measured so far. */
  List<CeilingRun> runs() {
    return forks.stream().flatMap(f -> runs(f).stream()).toList();
  }

  /** What was measured so far in a fork. */
  List<CeilingRun> runs(CeilingFork fork) {
    return fork.keys().stream().map(this::run).toList();
  }

  private CeilingRun run(CeilingKey ceiling) {
    List<Sample> measured = samples.getOrDefault(ceiling, List.of());
    String reason = failures.get(ceiling);
    if (reason != null) {
      return new CeilingRun(ceiling, Status.FAILED, reason, measured);
    }
    return measured.isEmpty()
        ? new CeilingRun(ceiling, Status.SKIPPED, "the run ended before it", measured)
        : new CeilingRun(ceiling, Status.OK, null, measured);
  }
}
