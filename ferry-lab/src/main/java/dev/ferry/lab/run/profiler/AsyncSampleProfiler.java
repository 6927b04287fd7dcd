package dev.ferry.lab.run.profiler;

import dev.ferry.lab.model.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import one.profiler.AsyncProfiler;

/** A flame graph by async-profiler, which is halted between the samples. */
public final class AsyncSampleProfiler implements SampleProfiler {
  /** The best first: perf_events see the kernel, and many containers refuse them. */
  private static final List<String> EVENTS = List.of("cpu", "ctimer", "itimer");

  /** Fine enough for transfers of 10 ms; the default of 10 ms would see each once. */
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

  /** Loads it now: what is compiled from here on keeps the positions that a profile names. */
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
      // As text and not by its own hand: commas in a path would end its command.
      Files.writeString(file, profiler.execute("dump,flamegraph"));
    }
  }
}
