package dev.ferry.lab.suite;

import java.util.List;

/**
 * A column by which rows vary.
 *
 * @param name the name in the table header
 * @param values the values in the order of the table
 */
public record Parameter(String name, List<String> values) {
  public Parameter {
    values = List.copyOf(values);
  }
}
