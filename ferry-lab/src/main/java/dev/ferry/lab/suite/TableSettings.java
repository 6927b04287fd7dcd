package dev.ferry.lab.suite;

import dev.ferry.lab.model.LabException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The values that a user gives to parameters in place of those of the tables. Forks need none of
 * it, since the key of a row has its values.
 *
 * @param all the settings, each of another parameter
 * @param added parameters that every table gets after its own
 */
public record TableSettings(List<Setting> all, List<Parameter> added) {
  /** The values of the tables. */
  public static final TableSettings NONE = new TableSettings(List.of(), List.of());

  public TableSettings {
    all = List.copyOf(all);
    added = List.copyOf(added);
  }

  /**
   * The values of one parameter.
   *
   * @param option the option that gives them, for messages
   * @param parameter the name of the parameter
   * @param texts the values as typed; at least one
   */
  public record Setting(String option, String parameter, List<String> texts) {
    public Setting {
      texts = List.copyOf(texts);
    }

    private Parameter of(Table table, Parameter given) throws LabException {
      Parameter.Reader reader = given.reader();
      if (reader == null) {
        throw LabException.usage(
            "%s: %s has no other values of %s than %s"
                .formatted(option, table.name(), parameter, String.join(", ", given.values())));
      }
      Set<String> values = new LinkedHashSet<>();
      for (String text : texts) {
        try {
          values.add(reader.read(text.strip()));
        } catch (IllegalArgumentException e) {
          throw LabException.usage(option + ": " + e.getMessage());
        }
      }
      return new Parameter(given.name(), List.copyOf(values), reader);
    }
  }

  /**
   * Returns the tables of a suite with these values. A table without a parameter stays as it is.
   *
   * @throws LabException if a table has the parameter, but cannot have a value
   */
  public List<Table> tables(Suite suite) throws LabException {
    List<Table> tables = new ArrayList<>();
    for (Table table : suite.tables()) {
      List<Parameter> parameters = new ArrayList<>();
      for (Parameter parameter : table.parameters()) {
        Parameter set = parameter;
        for (Setting setting : all) {
          if (setting.parameter().equals(parameter.name())) {
            set = setting.of(table, parameter);
          }
        }
        parameters.add(set);
      }
      parameters.addAll(added);
      tables.add(table.withParameters(parameters));
    }
    return tables;
  }

  /**
   * Checks that each setting makes a difference.
   *
   * @throws LabException if no table of the plan has the parameter of a setting
   */
  public void requireUsed(RunPlan plan) throws LabException {
    for (Setting setting : unused(plan)) {
      throw LabException.usage(
          "%s: none of these tables has the parameter %s; suites with such tables: %s"
              .formatted(setting.option(), setting.parameter(), with(setting.parameter())));
    }
  }

  /** Returns the settings whose parameter no table of the plan has. */
  public List<Setting> unused(RunPlan plan) {
    return all.stream()
        .filter(
            setting -> plan.groups().stream().noneMatch(g -> has(g.table(), setting.parameter())))
        .toList();
  }

  /** Returns a copy without the settings of some options. */
  public TableSettings without(Set<String> options) {
    return new TableSettings(
        all.stream().filter(setting -> !options.contains(setting.option())).toList(), added);
  }

  private static String with(String parameter) {
    List<String> names =
        Suites.all().stream()
            .filter(suite -> suite.tables().stream().anyMatch(table -> has(table, parameter)))
            .map(Suite::name)
            .toList();
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  private static boolean has(Table table, String parameter) {
    return table.parameters().stream().anyMatch(each -> each.name().equals(parameter));
  }
}
