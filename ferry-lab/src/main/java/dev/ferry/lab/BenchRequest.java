package dev.ferry.lab;

import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.run.TaxiFile;
import dev.ferry.lab.suite.Plan;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What to measure, and where to keep it.
 *
 * @param plan the rows
 * @param profile how much of each
 * @param processes 1, or 2 to give the server of each row a process of its own
 * @param profiler what watches the samples and disturbs the figures; null for nothing
 * @param file the file to move; null for a generated one
 * @param generatedBytes size of that, at least 1
 * @param out the run folder, new or empty
 * @param workFolder existing folder under which temporary files are made
 */
public record BenchRequest(
    Plan plan,
    Profile profile,
    int processes,
    @Nullable Profiler profiler,
    @Nullable Path file,
    long generatedBytes,
    Path out,
    Path workFolder) {
  public BenchRequest {
    if (processes < 1 || processes > 2) {
      throw new IllegalArgumentException("processes is " + processes + ", not 1 or 2");
    }
    if (generatedBytes < 1) {
      throw new IllegalArgumentException("a file of " + generatedBytes + " bytes");
    }
  }

  /** With a generated file of the usual size where none is given. */
  public BenchRequest(
      Plan plan,
      Profile profile,
      int processes,
      @Nullable Profiler profiler,
      @Nullable Path file,
      Path out,
      Path workFolder) {
    this(plan, profile, processes, profiler, file, TaxiFile.BYTES, out, workFolder);
  }
}
