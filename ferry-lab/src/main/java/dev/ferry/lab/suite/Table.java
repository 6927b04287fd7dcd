package dev.ferry.lab.suite;

import dev.ferry.lab.model.Choice;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.Unit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One table of a suite: every method at every setting of the parameters, with exceptions.
 *
 * @param name the name in reports and filters
 * @param parameters the columns by which rows vary; may be empty
 * @param methods the rivals in the order of the table
 * @param baseline the method to which ratios refer, one of the methods
 * @param main whether the table runs without a filter
 * @param only methods that exist only at some settings: required parameter values by method
 * @param unit the unit of times
 * @param byTime whether rows are sorted by time across settings
 * @param asides methods that the question of the table is not about; a run that has little time
 *     measures them last
 */
public record Table(
    String name,
    List<Parameter> parameters,
    List<String> methods,
    String baseline,
    boolean main,
    Map<String, Map<String, String>> only,
    Unit unit,
    boolean byTime,
    Set<String> asides) {
  /** Stands for every table in {@link #named}. */
  public static final String ALL = "all";

  public Table {
    parameters = List.copyOf(parameters);
    methods = List.copyOf(methods);
    only = Map.copyOf(only);
    asides = Set.copyOf(asides);
    if (!methods.contains(baseline)) {
      throw new IllegalArgumentException(name + ": baseline " + baseline + " is not a method");
    }
    if (!methods.containsAll(only.keySet()) || only.containsKey(baseline)) {
      throw new IllegalArgumentException(name + ": exceptions are for rivals: " + only.keySet());
    }
  }

  /**
   * Finds tables by their names. The case is ignored.
   *
   * @param names the names; {@link #ALL} stands for every table
   * @return the names as the suites spell them
   * @throws LabException if no suite has a table of a name
   */
  static Set<String> named(List<String> names, List<Suite> suites) throws LabException {
    Set<String> known = new LinkedHashSet<>();
    suites.forEach(s -> s.tables().forEach(t -> known.add(t.name())));
    Set<String> found = new LinkedHashSet<>();
    for (String name : names) {
      if (name.equalsIgnoreCase(ALL)) {
        return known;
      }
      found.add(Choice.of(known, table -> table, name, "no table"));
    }
    return found;
  }

  /** Creates a main table with every method at every setting. */
  public Table(String name, List<Parameter> parameters, List<String> methods, String baseline) {
    this(name, parameters, methods, baseline, true, Map.of(), Unit.MILLIS, false, Set.of());
  }

  /** Returns a copy that runs only if a filter selects it. */
  public Table onRequest() {
    return new Table(name, parameters, methods, baseline, false, only, unit, byTime, asides);
  }

  /** Returns a copy with times in microseconds. */
  public Table inMicros() {
    return new Table(name, parameters, methods, baseline, main, only, Unit.MICROS, byTime, asides);
  }

  /** Returns a copy that is sorted by time. */
  public Table sortedByTime() {
    return new Table(name, parameters, methods, baseline, main, only, unit, true, asides);
  }

  /** Returns a copy with other values of the parameters, or other parameters. */
  Table withParameters(List<Parameter> others) {
    return new Table(name, others, methods, baseline, main, only, unit, byTime, asides);
  }

  /**
   * Returns a copy with a method only for one value of a parameter, and of those that it has been
   * given before.
   */
  public Table withOnly(String method, String parameter, String value) {
    Map<String, Map<String, String>> more = new LinkedHashMap<>(only);
    Map<String, String> values = new LinkedHashMap<>(more.getOrDefault(method, Map.of()));
    values.put(parameter, value);
    more.put(method, values);
    return new Table(name, parameters, methods, baseline, main, more, unit, byTime, asides);
  }

  /** Returns a copy in which the question is not about a method. */
  public Table withAside(String method) {
    Set<String> more = new HashSet<>(asides);
    more.add(method);
    return new Table(name, parameters, methods, baseline, main, only, unit, byTime, more);
  }

  /**
   * Returns the groups of rivals in the order of the table: one group per setting, each with one
   * row per method.
   */
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
        .map(
            s ->
                methods.stream()
                    .filter(m -> stands(m, s))
                    .map(m -> new RowKey(suite, name, m, s))
                    .toList())
        .toList();
  }

  /** Returns whether a row can be in this table, with its values or others that a user may set. */
  public boolean allows(RowKey row) {
    return row.table().equals(name)
        && methods.contains(row.method())
        && row.parameters()
            .keySet()
            .equals(parameters.stream().map(Parameter::name).collect(Collectors.toSet()))
        && parameters.stream().allMatch(each -> each.allows(row.parameters().get(each.name())))
        && stands(row.method(), row.parameters());
  }

  private boolean stands(String method, Map<String, String> setting) {
    return setting.entrySet().containsAll(only.getOrDefault(method, Map.of()).entrySet());
  }
}
