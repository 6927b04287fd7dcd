package dev.ferry.lab.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What can watch the samples of a run, and so disturbs them. */
public enum Profiler {
  /** async-profiler: a flame graph of the CPU time of all threads. */
  @JsonProperty("async")
  ASYNC("html"),
  /** JDK Flight Recorder with the settings {@code profile}. */
  @JsonProperty("jfr")
  JFR("jfr");

  private final String extension;

  Profiler(String extension) {
    this.extension = extension;
  }

  /** As in {@code --profiler}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How the names of its files end, without the dot. */
  public String extension() {
    return extension;
  }

  /**
   * The profiler of a label.
   *
   * @throws LabException with the list of what exists
   */
  public static Profiler parse(String label) throws LabException {
    for (Profiler profiler : values()) {
      if (profiler.label().equals(label)) {
        return profiler;
      }
    }
    throw LabException.usage(
        "unknown profiler '"
            + label
            + "'; there is: "
            + Stream.of(values()).map(Profiler::label).collect(Collectors.joining(", ")));
  }
}
