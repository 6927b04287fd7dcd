package dev.ferry.lab.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Names one row: a method at one setting of a table's parameters.
 *
 * @param suite the suite's name
 * @param table the table's name
 * @param method the method's name
 * @param parameters values by name, in the order of the table's columns
 */
public record RowKey(String suite, String table, String method, Map<String, String> parameters) {
  public RowKey {
    // Map.copyOf would lose the order of the columns.
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /** The same setting with another method. */
  public RowKey withMethod(String other) {
    return new RowKey(suite, table, other, parameters);
  }

  /** Whether two rows stand in one table at one setting, and so can be compared. */
  public boolean sameGroup(RowKey other) {
    return suite.equals(other.suite)
        && table.equals(other.table)
        && parameters.equals(other.parameters);
  }

  /** The value of a parameter as a whole number. */
  public int intParameter(String name) {
    return Integer.parseInt(parameter(name));
  }

  /** The value of a parameter as a whole number that may be large. */
  public long longParameter(String name) {
    return Long.parseLong(parameter(name));
  }

  /** The value of a parameter as a yes or no. */
  public boolean booleanParameter(String name) {
    return Boolean.parseBoolean(parameter(name));
  }

  private String parameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new IllegalArgumentException(this + ": no parameter " + name);
    }
    return value;
  }

  /** A name for files: lower-case letters, digits, dots and dashes. */
  public String fileName() {
    String values = String.join("-", parameters.values());
    String name =
        String.join("-", suite, table, values, method)
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9.]+", "-");
    // Two rows must never share a file, whatever the replacement did to them.
    return name + "-" + Integer.toHexString(hashCode());
  }

  /** The parameters as {@code BufferSize=4096, UseCompression=false}. */
  public String setting() {
    return parameters.entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return suite + "/" + table + " " + method + (parameters.isEmpty() ? "" : " " + setting());
  }
}
