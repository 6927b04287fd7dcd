package dev.ferry.lab.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Identifies one row: a method with one setting of a table's parameters.
 *
 * @param suite the name of the suite
 * @param table the name of the table
 * @param method the name of the method
 * @param parameters the values by name, in the order of the table's columns
 */
public record RowKey(String suite, String table, String method, Map<String, String> parameters) {
  /** The suite of ceilings, whose methods are the names of {@link CeilingName}. */
  public static final String MACHINE = "machine";

  private static final String CEILINGS = "ceilings";
  private static final String LOAD = "Load";
  private static final String CONTROL = " A/A";

  /** File systems allow 255 bytes, and file names have a hash and an ending after this. */
  private static final int MAX_NAME = 120;

  public RowKey {
    // Map.copyOf would lose the order of the columns.
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /**
   * Returns the key of a ceiling.
   *
   * @param load what a sample does; null for the run's file, once
   */
  public static RowKey ceiling(CeilingName name, @Nullable Load load) {
    return new RowKey(
        MACHINE, CEILINGS, name.label(), load == null ? Map.of() : Map.of(LOAD, load.numbers()));
  }

  /** Returns whether this is a ceiling. */
  public boolean isCeiling() {
    return suite.equals(MACHINE);
  }

  /**
   * Returns what a sample of a ceiling does; null for the run's file, once.
   *
   * @throws IllegalArgumentException if it is no load
   */
  public @Nullable Load ceilingLoad() {
    String numbers = parameters.get(LOAD);
    return numbers == null ? null : Load.parse(numbers);
  }

  /** Returns the key of another method with the same setting. */
  public RowKey withMethod(String other) {
    return new RowKey(suite, table, other, parameters);
  }

  /**
   * Returns the key of the A/A row of this row: the same program in other forks. The difference
   * between the two is noise.
   */
  public RowKey control() {
    return withMethod(method + CONTROL);
  }

  /** Returns whether this is an A/A row. */
  public boolean isControl() {
    return method.endsWith(CONTROL);
  }

  /**
   * Returns the key of the row whose work is done: this key, or for an A/A row that of its twin.
   */
  public RowKey work() {
    return isControl() ? withMethod(method.substring(0, method.length() - CONTROL.length())) : this;
  }

  /** Returns the suite and the table of the row, as {@code suite/table}. */
  public String tableName() {
    return suite + "/" + table;
  }

  /** Returns whether two rows have the same table and setting and therefore can be compared. */
  public boolean sameGroup(RowKey other) {
    return suite.equals(other.suite)
        && table.equals(other.table)
        && parameters.equals(other.parameters);
  }

  /** Returns a parameter value as an int. */
  public int intParameter(String name) {
    return Integer.parseInt(parameter(name));
  }

  /** Returns a parameter value as a long. */
  public long longParameter(String name) {
    return Long.parseLong(parameter(name));
  }

  private String parameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new IllegalArgumentException(this + ": no parameter " + name);
    }
    return value;
  }

  /** Returns a name for files: at most 129 lower-case letters, digits, dots and dashes. */
  public String fileName() {
    if (isCeiling()) {
      String title = toString().toLowerCase(Locale.ROOT).replace(",", "");
      return "ceiling-" + title.replaceAll("[^a-z0-9]+", "-");
    }
    String values = String.join("-", parameters.values());
    String name =
        String.join("-", suite, table, values, method)
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9.]+", "-");
    // The hash keeps the names of two rows distinct even if they are equal after this.
    return name.substring(0, Math.min(MAX_NAME, name.length()))
        + "-"
        + Integer.toHexString(hashCode());
  }

  /** Returns the parameters as {@code BufferSize=4096, UseCompression=false}. */
  public String setting() {
    return parameters.entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    if (isCeiling()) {
      return Ceiling.title(method, ceilingLoad());
    }
    return tableName() + " " + method + (parameters.isEmpty() ? "" : " " + setting());
  }
}
