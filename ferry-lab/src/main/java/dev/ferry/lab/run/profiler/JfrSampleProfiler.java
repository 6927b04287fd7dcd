package dev.ferry.lab.run.profiler;

import dev.ferry.lab.model.LabException;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Category;
import jdk.jfr.Configuration;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * Records from the first sample to the last and marks each sample with an event. Stopping and
 * starting the recording would cost more than a sample.
 */
public final class JfrSampleProfiler implements SampleProfiler {
  /** The JDK's settings with a low but noticeable overhead. */
  private static final String SETTINGS = "profile";

  private final Path file;
  private @Nullable Recording recording;
  private SampleEvent sample = new SampleEvent();

  public JfrSampleProfiler(Path file) {
    this.file = file;
  }

  public static void require() throws LabException {
    if (!FlightRecorder.isAvailable()) {
      throw LabException.failure(
          "this JVM has no Flight Recorder; use another JDK or --profiler async");
    }
  }

  /** Lasts from before the meters of a sample start until after they have stopped. */
  @Name("dev.ferry.Sample")
  @Label("Sample")
  @Category("Ferry")
  public static final class SampleEvent extends Event {}

  @Override
  public void begin() throws IOException {
    if (recording == null) {
      recording = start();
    }
    sample = new SampleEvent();
    sample.begin();
  }

  private static Recording start() throws IOException {
    try {
      Recording recording = new Recording(Configuration.getConfiguration(SETTINGS));
      recording.start();
      return recording;
    } catch (ParseException e) {
      throw new IOException("the JDK's settings '" + SETTINGS + "' cannot be read", e);
    }
  }

  @Override
  public void end() {
    sample.commit();
  }

  @Override
  public void finish() throws IOException {
    if (recording != null) {
      try (Recording ended = recording) {
        ended.stop();
        ended.dump(file);
      }
    }
  }
}
