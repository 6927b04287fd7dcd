package dev.ferry.lab.run.jvm;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The JVMs of the forks of a run. If the user names them, each row runs on each of them, and its
 * key says on which.
 *
 * @param flags the flags of all of them
 * @param unnamed the JVM of rows whose key names none, and of ceilings
 * @param named the JVMs by their values of the parameter {@code Java}, in the order of the tables;
 *     may be empty
 */
public record Jvms(JvmFlags flags, Jvm unnamed, Map<String, Jvm> named) {
  /** The JVM of this process with the default flags. */
  public static final Jvms DEFAULT = new Jvms(JvmFlags.DEFAULT, Jvm.own(), Map.of());

  /** The parameter of rows that names their JVM. */
  public static final String JAVA = "Java";

  public Jvms {
    // Map.copyOf would lose the order.
    named = Collections.unmodifiableMap(new LinkedHashMap<>(named));
  }

  /**
   * Starts JVMs once, to find out what they are and whether they accept the flags.
   *
   * @param paths the folders of the JVMs, or their programs; if empty, the JVM of this process
   * @throws LabException if one does not start, or is given twice
   */
  public static Jvms start(List<Path> paths, JvmFlags flags) throws LabException {
    if (paths.isEmpty()) {
      return flags.equals(JvmFlags.DEFAULT)
          ? DEFAULT
          : new Jvms(flags, Jvm.start(Jvm.own().home(), flags), Map.of());
    }
    List<Jvm> all = new ArrayList<>();
    for (Path path : paths) {
      all.add(Jvm.start(path, flags));
    }
    Map<String, Jvm> named = new LinkedHashMap<>();
    for (Jvm jvm : all) {
      if (named.put(name(jvm, all), jvm) != null) {
        throw LabException.usage("--java: " + jvm.home() + " is given twice");
      }
    }
    return new Jvms(flags, all.get(0), named);
  }

  /** Returns the shortest of version, folder and path that no other has. */
  private static String name(Jvm jvm, List<Jvm> all) {
    for (Function<Jvm, String> form :
        List.<Function<Jvm, String>>of(Jvm::version, j -> String.valueOf(j.home().getFileName()))) {
      String name = form.apply(jvm);
      if (all.stream().filter(other -> form.apply(other).equals(name)).count() == 1) {
        return name;
      }
    }
    return jvm.home().toString();
  }

  /** Returns the parameter of all rows; empty if the user names no JVM. */
  public Optional<Parameter> parameter() {
    return named.isEmpty()
        ? Optional.empty()
        : Optional.of(new Parameter(JAVA, List.copyOf(named.keySet())));
  }

  /**
   * Returns the JVM of a fork.
   *
   * @param row its first row
   */
  public Jvm of(RowKey row) {
    return named.getOrDefault(row.parameters().getOrDefault(JAVA, ""), unnamed);
  }

  /** Returns their versions in one line. */
  public String versions() {
    return join(Jvm::runtime);
  }

  /** Returns their names in one line. */
  public String names() {
    return join(Jvm::vm);
  }

  private String join(Function<Jvm, String> figure) {
    return named.isEmpty()
        ? figure.apply(unnamed)
        : named.values().stream().map(figure).distinct().collect(Collectors.joining(", "));
  }
}
