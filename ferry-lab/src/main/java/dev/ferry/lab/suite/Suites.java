package dev.ferry.lab.suite;

import dev.ferry.core.internal.KnownNames;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** The suites on the class path. */
public final class Suites {
  /** Selects all suites. */
  private static final String ALL = "all";

  private Suites() {}

  /** Returns all suites in the order of the class path. */
  public static List<Suite> all() {
    return ServiceLoader.load(Suite.class, Suites.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
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
   * Returns a row of the suites on the class path; for an A/A row, the row that it repeats.
   *
   * @throws LabException if there is no such suite
   */
  public static RowSpec row(RowKey key) throws LabException {
    return find(key.suite()).row(key.work());
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
    KnownNames names = KnownNames.of(known);
    return names
        .find(name)
        .flatMap(found -> all.stream().filter(s -> s.name().equals(found)).findFirst())
        .orElseThrow(() -> LabException.usage("unknown suite '" + name + "'; " + names.hint(name)));
  }
}
