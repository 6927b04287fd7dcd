package dev.ferry.lab.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.ferry.core.internal.Names;
import java.util.Locale;
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
   * The profiler of a label in any case.
   *
   * @throws LabException with the nearest of them or a list
   */
  public static Profiler parse(String label) throws LabException {
    for (Profiler profiler : values()) {
      if (profiler.label().equalsIgnoreCase(label)) {
        return profiler;
      }
    }
    Names names = Names.of(Stream.of(values()).map(Profiler::label).toList());
    throw LabException.usage("unknown profiler '" + label + "'; " + names.hint(label));
  }
}
