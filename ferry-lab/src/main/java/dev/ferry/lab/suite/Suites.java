package dev.ferry.lab.suite;

import dev.ferry.lab.model.LabException;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The suites on the class path. */
public final class Suites {
  /** Stands for every suite. */
  private static final String ALL = "all";

  private Suites() {}

  /** All of them, in the order of the class path. */
  public static List<Suite> all() {
    return ServiceLoader.load(Suite.class, Suites.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  /**
   * The suite of a name, or every one for {@code all}.
   *
   * @throws LabException with the list of what exists
   */
  public static List<Suite> named(String name) throws LabException {
    return name.equals(ALL) ? all() : List.of(find(name));
  }

  /**
   * The suite of a name.
   *
   * @throws LabException with the list of what exists
   */
  public static Suite find(String name) throws LabException {
    for (Suite suite : all()) {
      if (suite.name().equals(name)) {
        return suite;
      }
    }
    throw LabException.usage(
        "unknown suite '"
            + name
            + "'; there is: "
            + all().stream().map(Suite::name).collect(Collectors.joining(", "))
            + ", and "
            + ALL);
  }
}
