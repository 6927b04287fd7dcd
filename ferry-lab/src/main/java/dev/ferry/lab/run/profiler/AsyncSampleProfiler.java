package dev.ferry.lab.run.profiler;

import dev.ferry.lab.model.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import one.profiler.AsyncProfiler;

/** Creates a flame graph with async-profiler, which is stopped between the samples. */
public final class AsyncSampleProfiler implements SampleProfiler {
  /**
   * The events in order of preference. perf_events also cover the kernel, but many containers
   * forbid them.
   */
  private static final List<String> EVENTS = List.of("cpu", "ctimer", "itimer");

  /**
   * Short enough for transfers of 10 ms. The default of 10 ms would take one profile sample per
   * transfer.
   */
  private static final String INTERVAL = "250us";

  private final AsyncProfiler profiler;
  private final String event;
  private final Path file;
  private boolean begun;

  private AsyncSampleProfiler(AsyncProfiler profiler, String event, Path file) {
    this.profiler = profiler;
    this.event = event;
    this.file = file;
  }

  /**
   * Loads the profiler immediately, so that code compiled from now on keeps the debug positions for
   * the profile.
   */
  public static AsyncSampleProfiler open(Path file) throws IOException {
    AsyncProfiler profiler = load();
    return new AsyncSampleProfiler(profiler, event(profiler), file);
  }

  public static void require() throws LabException {
    try {
      event(load());
    } catch (IOException e) {
      throw LabException.failure(e.getMessage() + "; use --profiler jfr", e);
    }
  }

  private static AsyncProfiler load() throws IOException {
    try {
      return AsyncProfiler.getInstance();
    } catch (LinkageError | RuntimeException e) {
      throw new IOException(
          "async-profiler does not load on %s %s (%s)"
              .formatted(
                  System.getProperty("os.name"), System.getProperty("os.arch"), e.getMessage()),
          e);
    }
  }

  private static String event(AsyncProfiler profiler) throws IOException {
    Exception last = null;
    for (String event : EVENTS) {
      try {
        String unused = profiler.execute("check,event=" + event);
        return event;
      } catch (IOException | RuntimeException e) {
        last = e;
      }
    }
    throw new IOException("async-profiler can use none of " + EVENTS + " here", last);
  }

  @Override
  public void begin() throws IOException {
    String command = begun ? "resume" : "start";
    String unused = profiler.execute(command + ",event=" + event + ",interval=" + INTERVAL);
    begun = true;
  }

  @Override
  public void end() {
    profiler.stop();
  }

  @Override
  public void finish() throws IOException {
    if (begun) {
      // Writes the output here, because a comma in the path would end the profiler's own file
      // argument.
      Files.writeString(file, profiler.execute("dump,flamegraph"));
    }
  }
}
