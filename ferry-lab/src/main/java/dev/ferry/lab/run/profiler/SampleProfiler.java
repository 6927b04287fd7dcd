package dev.ferry.lab.run.profiler;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Profiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Profiles only the samples of a fork; this one profiles nothing. Used by one thread. */
public interface SampleProfiler {
  /** Called when a sample begins. */
  default void begin() throws IOException {}

  /** Called when the sample has ended. */
  default void end() {}

  /** Stops the profiler. Writes the output if there was a sample. */
  default void finish() throws IOException {}

  /**
   * Opens a profiler in a fork.
   *
   * @param profiler the profiler; null for none
   * @param file the output file
   */
  static SampleProfiler open(@Nullable Profiler profiler, @Nullable Path file) throws IOException {
    if (profiler == null || file == null) {
      return new SampleProfiler() {};
    }
    Files.createDirectories(file.getParent());
    return switch (profiler) {
      case ASYNC -> AsyncSampleProfiler.open(file);
      case JFR -> new JfrSampleProfiler(file);
    };
  }

  /**
   * Checks that a profiler works on this machine before anything runs.
   *
   * @throws LabException with the reason and an alternative
   */
  static void require(Profiler profiler) throws LabException {
    switch (profiler) {
      case ASYNC -> AsyncSampleProfiler.require();
      case JFR -> JfrSampleProfiler.require();
    }
  }
}
