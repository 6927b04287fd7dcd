package dev.ferry.lab.suite;

import dev.ferry.lab.model.RowKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One table of a suite: every method at every setting of the parameters.
 *
 * @param name as in reports and filters
 * @param parameters the columns that rows vary in; may be empty
 * @param methods the rivals, in the order of the table
 * @param baseline the method that ratios refer to, one of the methods
 */
public record Table(
    String name, List<Parameter> parameters, List<String> methods, String baseline) {
  public Table {
    parameters = List.copyOf(parameters);
    methods = List.copyOf(methods);
    if (!methods.contains(baseline)) {
      throw new IllegalArgumentException(name + ": baseline " + baseline + " is no method");
    }
  }

  /** The groups of rivals in the table's order: one per setting, each with one row per method. */
  public List<List<RowKey>> groups(String suite) {
    List<Map<String, String>> settings = List.of(Map.of());
    for (Parameter parameter : parameters) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> setting : settings) {
        for (String value : parameter.values()) {
          Map<String, String> next = new LinkedHashMap<>(setting);
          next.put(parameter.name(), value);
          longer.add(next);
        }
      }
      settings = longer;
    }
    return settings.stream()
        .map(s -> methods.stream().map(m -> new RowKey(suite, name, m, s)).toList())
        .toList();
  }
}
