package dev.ferry.suites;

import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.run.BenchRequest;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.run.TaxiFile;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.suite.RunPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests of runs in one process, with as few samples as there can be. */
final class SmokeRequests {
  private SmokeRequests() {}

  static BenchRequest of(
      RunPlan plan,
      Jvms jvms,
      @Nullable Profiler profiler,
      Path file,
      Path out,
      Path work,
      @Nullable Duration time) {
    return new BenchRequest(
        plan,
        Profile.SMOKE,
        1,
        false,
        jvms,
        null,
        null,
        profiler,
        file,
        TaxiFile.BYTES,
        out,
        work,
        Criteria.DEFAULT_THRESHOLD,
        time,
        List.of(),
        null,
        null);
  }
}
