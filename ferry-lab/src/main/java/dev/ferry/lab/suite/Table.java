package dev.ferry.lab.suite;

import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One table of a suite: every method at every setting of the parameters, but for what is excepted.
 *
 * @param name as in reports and filters
 * @param parameters the columns that rows vary in; may be empty
 * @param methods the rivals, in the order of the table
 * @param baseline the method that ratios refer to, one of the methods
 * @param main whether it runs where no filter asks for it
 * @param only methods that stand at some settings alone: values of parameters, by method
 * @param unit of times
 * @param byTime whether its rows are shown in the order of their times, settings mixed
 */
public record Table(
    String name,
    List<Parameter> parameters,
    List<String> methods,
    String baseline,
    boolean main,
    Map<String, Map<String, String>> only,
    Unit unit,
    boolean byTime) {
  public Table {
    parameters = List.copyOf(parameters);
    methods = List.copyOf(methods);
    only = Map.copyOf(only);
    if (!methods.contains(baseline)) {
      throw new IllegalArgumentException(name + ": baseline " + baseline + " is no method");
    }
    if (!methods.containsAll(only.keySet()) || only.containsKey(baseline)) {
      throw new IllegalArgumentException(name + ": exceptions are for rivals: " + only.keySet());
    }
  }

  /** A main table with every method at every setting. */
  public Table(String name, List<Parameter> parameters, List<String> methods, String baseline) {
    this(name, parameters, methods, baseline, true, Map.of(), Unit.MILLIS, false);
  }

  /** The same table, run only where a filter asks for it. */
  public Table onRequest() {
    return new Table(name, parameters, methods, baseline, false, only, unit, byTime);
  }

  /** The same table with times in microseconds. */
  public Table inMicros() {
    return new Table(name, parameters, methods, baseline, main, only, Unit.MICROS, byTime);
  }

  /** The same table, shown in the order of its times. */
  public Table sortedByTime() {
    return new Table(name, parameters, methods, baseline, main, only, unit, true);
  }

  /** The same table with a method only where a parameter has a value. */
  public Table withOnly(String method, String parameter, String value) {
    Map<String, Map<String, String>> more = new LinkedHashMap<>(only);
    more.put(method, Map.of(parameter, value));
    return new Table(name, parameters, methods, baseline, main, more, unit, byTime);
  }

  /** The groups of rivals in the table's order: one per setting, each with a row per method. */
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

  private boolean stands(String method, Map<String, String> setting) {
    return setting.entrySet().containsAll(only.getOrDefault(method, Map.of()).entrySet());
  }
}
