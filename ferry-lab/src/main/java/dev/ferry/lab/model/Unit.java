package dev.ferry.lab.model;

import java.util.List;

/** The unit of the times in a table, as in the reference tables. */
public enum Unit {
  MILLIS("ms", 1e6),
  MICROS("us", 1e3);

  private final String label;
  private final double nanos;

  Unit(String label, double nanos) {
    this.label = label;
    this.nanos = nanos;
  }

  /** Returns the name in tables and run documents. */
  public String label() {
    return label;
  }

  /** Returns the length of the unit in nanoseconds. */
  public double nanos() {
    return nanos;
  }

  /** Returns the unit with a label. */
  public static Unit of(String label) {
    return List.of(values()).stream()
        .filter(u -> u.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown unit '" + label + "'"));
  }
}
