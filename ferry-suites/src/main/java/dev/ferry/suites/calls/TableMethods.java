package dev.ferry.suites.calls;

import dev.ferry.lab.model.RowKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The methods of a table, by name. Filled by one thread, then only read.
 *
 * @param <M> the type of a method
 */
final class TableMethods<M> {
  private final Map<String, M> methods = new LinkedHashMap<>();

  /** Adds a method after the others. */
  TableMethods<M> add(String name, M method) {
    methods.put(name, method);
    return this;
  }

  /** The methods, in the order of the table. */
  List<String> names() {
    return List.copyOf(methods.keySet());
  }

  /**
   * The method of a row.
   *
   * @throws IllegalArgumentException if the table has no such row
   */
  M of(RowKey row) {
    M method = methods.get(row.method());
    if (method == null) {
      throw new IllegalArgumentException(row + " is not a method of its table");
    }
    return method;
  }
}
