package dev.ferry.lab.run.profiler;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Profiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Watches the samples of a fork and nothing else. Used by one thread. */
public sealed interface SampleProfiler permits AsyncSampleProfiler, JfrSampleProfiler, NoProfiler {
  /** A sample begins. */
  void begin() throws IOException;

  /** The sample has ended. */
  void end();

  /** Ends the watch, and writes what was seen if there was a sample. */
  void finish() throws IOException;

  /**
   * Opens a profiler in a fork.
   *
   * @param profiler null for none
   * @param file what to write in the end
   */
  static SampleProfiler open(@Nullable Profiler profiler, @Nullable Path file) throws IOException {
    if (profiler == null || file == null) {
      return new NoProfiler();
    }
    Files.createDirectories(file.getParent());
    return switch (profiler) {
      case ASYNC -> AsyncSampleProfiler.open(file);
      case JFR -> new JfrSampleProfiler(file);
    };
  }

  /**
   * Refuses a profiler that does not work on this machine, before anything runs.
   *
   * @throws LabException with the reason and what works instead
   */
  static void require(Profiler profiler) throws LabException {
    switch (profiler) {
      case ASYNC -> AsyncSampleProfiler.require();
      case JFR -> JfrSampleProfiler.require();
    }
  }
}
