package dev.ferry.lab.suite;

import java.util.List;

/**
 * A column that rows vary in.
 *
 * @param name as in the table's head
 * @param values in the order of the table
 */
public record Parameter(String name, List<String> values) {
  public Parameter {
    values = List.copyOf(values);
  }
}
