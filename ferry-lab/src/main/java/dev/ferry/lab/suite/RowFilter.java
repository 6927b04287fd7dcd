package dev.ferry.lab.suite;

import dev.ferry.core.ByteSize;
import dev.ferry.lab.model.Choice;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects rows that match all of its terms, for instance {@code
 * table=download,BufferSize=65536,method=ZeroCopy}.
 *
 * @param terms the required values by key: {@code suite}, {@code table}, {@code method} or a
 *     parameter
 */
public record RowFilter(Map<String, String> terms) {
  public RowFilter {
    // Map.copyOf would lose the order.
    terms = Collections.unmodifiableMap(new LinkedHashMap<>(terms));
  }

  /** Parses a filter for the tables as their suites have them. */
  public static RowFilter parse(String text, List<Suite> suites) throws LabException {
    return parse(text, suites, TableSettings.NONE);
  }

  /**
   * Parses a filter and validates it against its suites. The case of keys and values is ignored.
   * Sizes may have a unit, as in {@code BufferSize=64K}.
   *
   * @param settings the values of the tables' parameters
   * @throws LabException if a term is not {@code key=value} or if the key or value is unknown
   */
  public static RowFilter parse(String text, List<Suite> suites, TableSettings settings)
      throws LabException {
    Map<String, Set<String>> known = known(suites, settings);
    Map<String, String> terms = new LinkedHashMap<>();
    for (String term : text.split(",", -1)) {
      int equals = term.indexOf('=');
      if (equals < 1) {
        throw LabException.usage(
            "filter '"
                + text
                + "': '"
                + term
                + "' is not key=value; keys are "
                + String.join(", ", known.keySet()));
      }
      String key = key(text, term.substring(0, equals).strip(), known.keySet());
      String value =
          value(text, key, term.substring(equals + 1).strip(), known.getOrDefault(key, Set.of()));
      if (terms.put(key, value) != null) {
        throw LabException.usage(
            "filter '" + text + "': " + key + " is given twice; give a second --filter instead");
      }
    }
    return new RowFilter(terms);
  }

  private static String key(String filter, String typed, Set<String> keys) throws LabException {
    return Choice.of(keys, key -> key, typed, "filter '%s': unknown key".formatted(filter));
  }

  private static String value(String filter, String key, String typed, Set<String> values)
      throws LabException {
    return Choice.find(values, typed)
        .or(() -> asBytes(typed).filter(values::contains))
        .orElseThrow(
            () ->
                LabException.usage(
                    "filter '%s': unknown %s '%s'; %s"
                        .formatted(filter, key, typed, Choice.hint(values, typed))));
  }

  /** Tables contain sizes in bytes, but the user may enter them with a unit. */
  private static Optional<String> asBytes(String text) {
    try {
      return Optional.of(Long.toString(ByteSize.parse(text)));
    } catch (IllegalArgumentException e) {
      // It is a value of another kind, or a wrong one, which the caller reports.
      return Optional.empty();
    }
  }

  private static Map<String, Set<String>> known(List<Suite> suites, TableSettings settings)
      throws LabException {
    Map<String, Set<String>> known = new LinkedHashMap<>();
    for (Suite suite : suites) {
      add(known, "suite", suite.name());
      for (Table table : settings.tables(suite)) {
        add(known, "table", table.name());
        table.methods().forEach(m -> add(known, "method", m));
        for (Parameter parameter : table.parameters()) {
          parameter.values().forEach(v -> add(known, parameter.name(), v));
        }
      }
    }
    return known;
  }

  private static void add(Map<String, Set<String>> known, String key, String value) {
    known.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(value);
  }

  /** Returns whether a row matches every term. */
  public boolean matches(RowKey row) {
    return terms.entrySet().stream().allMatch(t -> t.getValue().equals(value(row, t.getKey())));
  }

  /** Returns the filter in its input syntax. */
  @Override
  public String toString() {
    return terms.entrySet().stream()
        .map(t -> t.getKey() + "=" + t.getValue())
        .collect(Collectors.joining(","));
  }

  private static @Nullable String value(RowKey row, String key) {
    return switch (key) {
      case "suite" -> row.suite();
      case "table" -> row.table();
      case "method" -> row.method();
      default -> row.parameters().get(key);
    };
  }
}
