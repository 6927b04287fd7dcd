package dev.ferry.lab.run.jvm;

import dev.ferry.lab.model.Choice;
import dev.ferry.lab.model.LabException;
import java.util.List;
import java.util.Locale;

/** The garbage collectors of HotSpot. Not every JVM has all of them. */
public enum Collector {
  SERIAL("Serial"),
  PARALLEL("Parallel"),
  G1("G1"),
  Z("Z"),
  SHENANDOAH("Shenandoah");

  private final String label;

  Collector(String label) {
    this.label = label;
  }

  /** Returns the name in reports. */
  public String label() {
    return label;
  }

  /** Returns the name in {@code --gc}. */
  private String option() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the flag that selects it. */
  String flag() {
    return "-XX:+Use" + label + "GC";
  }

  /**
   * Returns the collector with a name. The case is ignored.
   *
   * @throws LabException with the most similar name or a list of names
   */
  static Collector parse(String name) throws LabException {
    return Choice.of(List.of(values()), Collector::option, name, "--gc: unknown collector");
  }
}
