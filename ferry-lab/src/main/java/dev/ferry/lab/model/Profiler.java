package dev.ferry.lab.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;

/** The profilers for the samples of a run. They distort the figures. */
public enum Profiler {
  /** async-profiler: a flame graph of the CPU time of all threads. */
  @JsonProperty("async")
  ASYNC("html"),
  /** JDK Flight Recorder with the {@code profile} settings. */
  @JsonProperty("jfr")
  JFR("jfr");

  private final String extension;

  Profiler(String extension) {
    this.extension = extension;
  }

  /** Returns the name in {@code --profiler}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the file name extension of its files, without the dot. */
  public String extension() {
    return extension;
  }

  /**
   * Returns the profiler with a label. The case is ignored.
   *
   * @throws LabException with the most similar label or a list of labels
   */
  public static Profiler parse(String label) throws LabException {
    return Choice.of(List.of(values()), Profiler::label, label, "unknown profiler");
  }
}
