package dev.ferry.lab.suite;

import dev.ferry.lab.model.Choice;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The suites on the class path. */
public final class Suites {
  /** Selects all suites. */
  private static final String ALL = "all";

  private Suites() {}

  private static Stream<Suite> loaded() {
    return ServiceLoader.load(Suite.class, Suites.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get);
  }

  /**
   * Returns all suites that a user can ask for, in the order of the class path: not that of
   * ceilings.
   */
  public static List<Suite> all() {
    return loaded().filter(suite -> !suite.name().equals(RowKey.MACHINE)).toList();
  }

  /**
   * Returns the suite with a name, or all for {@code all}. The case is ignored.
   *
   * @throws LabException with the most similar name or a list of names
   */
  public static List<Suite> named(String name) throws LabException {
    return name.equalsIgnoreCase(ALL) ? all() : List.of(find(name));
  }

  /**
   * Returns the suite of a row or of a ceiling.
   *
   * @throws LabException if there is no such suite
   */
  public static Suite of(RowKey row) throws LabException {
    return row.isCeiling()
        ? loaded().filter(suite -> suite.name().equals(row.suite())).findFirst().orElseThrow()
        : find(row.suite());
  }

  /**
   * Returns a row or a ceiling; for an A/A row, the row that it repeats.
   *
   * @throws LabException if there is no such suite
   */
  public static RowSpec row(RowKey key) throws LabException {
    return of(key).row(key.work());
  }

  /**
   * Returns the suite with a name. The case is ignored.
   *
   * @throws LabException with the most similar name or a list of names
   */
  public static Suite find(String name) throws LabException {
    List<Suite> all = all();
    List<String> known = new ArrayList<>(all.stream().map(Suite::name).toList());
    known.add(ALL);
    return Choice.find(known, name)
        .flatMap(found -> all.stream().filter(s -> s.name().equals(found)).findFirst())
        .orElseThrow(
            () -> LabException.usage("unknown suite '" + name + "'; " + Choice.hint(known, name)));
  }
}
