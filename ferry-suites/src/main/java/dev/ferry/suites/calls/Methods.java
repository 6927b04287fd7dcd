package dev.ferry.suites.calls;

import dev.ferry.lab.model.RowKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What each method of a table does. Filled by one thread, then only read.
 *
 * @param <W> the way in which a method does it
 */
final class Methods<W> {
  private final Map<String, W> ways = new LinkedHashMap<>();

  /** One more rival, behind those there are. */
  void add(String method, W way) {
    ways.put(method, way);
  }

  /** The methods, in the order of the table. */
  List<String> names() {
    return List.copyOf(ways.keySet());
  }

  /**
   * The way of a row.
   *
   * @throws IllegalArgumentException where the table has no such row
   */
  W of(RowKey row) {
    W way = ways.get(row.method());
    if (way == null) {
      throw new IllegalArgumentException(row + " is no method of its table");
    }
    return way;
  }
}
