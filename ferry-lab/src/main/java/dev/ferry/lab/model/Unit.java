package dev.ferry.lab.model;

import com.fasterxml.jackson.annotation.JsonValue;

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

  /** Returns the length of the unit in nanoseconds. */
  public double nanos() {
    return nanos;
  }

  /** Returns the name in tables and run documents. */
  @JsonValue
  @Override
  public String toString() {
    return label;
  }
}
