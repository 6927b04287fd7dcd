package dev.ferry.lab.suite;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column by which rows vary.
 *
 * @param name the name in the table header
 * @param values the values in the order of the table
 * @param reader reads values that a user gives in place of these; null if there are no others
 */
public record Parameter(String name, List<String> values, @Nullable Reader reader) {
  public Parameter {
    values = List.copyOf(values);
  }

  /** Creates a parameter that has these values and no others. */
  public Parameter(String name, List<String> values) {
    this(name, values, null);
  }

  /** Returns whether a row can have a value: one of the table, or one that a user may give. */
  boolean allows(@Nullable String value) {
    if (value == null || values.contains(value)) {
      return value != null;
    }
    try {
      return reader != null && reader.read(value).equals(value);
    } catch (IllegalArgumentException e) {
      // The reader's way to say that it is no such value.
      return false;
    }
  }

  /**
   * Reads a value as a user types it.
   *
   * @implSpec The reader of a parameter is always the same object, since parameters are compared.
   */
  @FunctionalInterface
  public interface Reader {
    /**
     * Returns the value as it stands in the table.
     *
     * @throws IllegalArgumentException if a row cannot have this value; the message is one line
     *     that quotes the text and names the remedy
     */
    String read(String text);
  }
}
