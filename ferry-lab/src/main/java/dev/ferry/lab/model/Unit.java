package dev.ferry.lab.model;

import java.util.List;

/** The unit that a table gives times in, as the reference's tables do. */
public enum Unit {
  /** Milliseconds. */
  MILLIS("ms", 1e6),
  /** Microseconds. */
  MICROS("us", 1e3);

  private final String label;
  private final double nanos;

  Unit(String label, double nanos) {
    this.label = label;
    this.nanos = nanos;
  }

  /** As in tables and run documents. */
  public String label() {
    return label;
  }

  /** Nanoseconds of one. */
  public double nanos() {
    return nanos;
  }

  /** The unit of a label. */
  public static Unit of(String label) {
    return List.of(values()).stream()
        .filter(u -> u.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown unit '" + label + "'"));
  }
}
