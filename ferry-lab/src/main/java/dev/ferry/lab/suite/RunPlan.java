package dev.ferry.lab.suite;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RowKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows to run.
 *
 * @param groups the rivals at each setting, in the order of the tables; no group is empty
 */
public record RunPlan(List<Group> groups) {
  public RunPlan {
    groups = List.copyOf(groups);
  }

  /**
   * The rivals at one setting of a table.
   *
   * @param suite their suite
   * @param table their table
   * @param specs the rows in the order of the table, each made once
   */
  public record Group(Suite suite, Table table, List<RowSpec> specs) {
    public Group {
      specs = List.copyOf(specs);
    }

    /** Returns the names of the rows in the order of the table. */
    public List<RowKey> rows() {
      return specs.stream().map(RowSpec::key).toList();
    }

    private Group withControl() {
      List<RowSpec> more = new ArrayList<>(specs);
      specs.stream()
          .filter(row -> row.key().method().equals(baseline()))
          .forEach(row -> more.add(row.control()));
      return new Group(suite, table, more);
    }

    /** Returns the method to which ratios refer. */
    public String baseline() {
      return table.baseline();
    }

    /**
     * Returns why a row cannot run, with a remedy, in one line.
     *
     * @param foreign why rows of other programs do not run, as {@link RunPlan#foreignObstacle}
     *     says; null if they do
     * @param distant whether there is a network between the two ends, and not the loopback
     * @return null if it can run
     */
    public @Nullable String obstacle(RowSpec row, @Nullable String foreign, boolean distant) {
      if (foreign != null && row.needs().foreign()) {
        return foreign;
      }
      return suite.needsNetwork() && !distant
          ? "it needs a network, such as --network country"
          : row.needs().obstacle().get().orElse(null);
    }

    /**
     * Returns whether the question of the run is about a row. It is about the baseline, and not
     * about an A/A row. If rivals were chosen that are all asides of the table, it is about them.
     */
    public boolean asks(RowKey row) {
      return !row.isControl() && (!isAside(row) || rows().stream().allMatch(this::isNoRival));
    }

    private boolean isAside(RowKey row) {
      return table.asides().contains(row.method());
    }

    private boolean isNoRival(RowKey row) {
      return row.isControl() || row.method().equals(baseline()) || isAside(row);
    }
  }

  /** Returns the rows of the tables as their suites have them. */
  public static RunPlan of(List<Suite> suites, List<RowFilter> filters) throws LabException {
    return of(suites, filters, TableSettings.NONE);
  }

  /**
   * Returns the rows of the suites that match any of the filters, each with its baseline. A filter
   * selects from the main tables; if they have no matching row, it selects from the other tables.
   *
   * @param filters the filters; if empty, the main tables are selected
   * @param settings the values of the tables' parameters
   * @throws LabException if a filter matches no row
   */
  public static RunPlan of(List<Suite> suites, List<RowFilter> filters, TableSettings settings)
      throws LabException {
    return of(suites, settings, Table::main, t -> !t.main(), filters);
  }

  /**
   * Returns the rows of some tables that match any of the filters, each with its baseline.
   *
   * @param names the names of the tables; {@link Table#ALL} stands for every table
   * @param filters the filters; if empty, all rows of these tables are selected
   * @param settings the values of the tables' parameters
   * @throws LabException if no suite has a table of a name, or if a filter matches no row
   */
  public static RunPlan ofTables(
      List<Suite> suites, List<String> names, List<RowFilter> filters, TableSettings settings)
      throws LabException {
    Set<String> tables = Table.named(names, suites);
    return of(suites, settings, t -> tables.contains(t.name()), t -> false, filters);
  }

  private static RunPlan of(
      List<Suite> suites,
      TableSettings settings,
      Predicate<Table> first,
      Predicate<Table> others,
      List<RowFilter> filters)
      throws LabException {
    Map<Suite, List<Table>> tables = new LinkedHashMap<>();
    for (Suite suite : suites) {
      tables.put(suite, settings.tables(suite));
    }
    Set<RowKey> wanted = wanted(rows(tables, first), rows(tables, others), filters);
    List<Group> groups = new ArrayList<>();
    // Settings can make two tables of one name alike in part.
    Set<RowKey> seen = new HashSet<>();
    tables.forEach(
        (suite, own) -> {
          for (Table table : own) {
            for (List<RowKey> rivals : table.groups(suite.name())) {
              List<RowKey> kept = keep(rivals, table.baseline(), wanted);
              if (!kept.isEmpty() && seen.addAll(kept)) {
                groups.add(new Group(suite, table, kept.stream().map(suite::row).toList()));
              }
            }
          }
        });
    return new RunPlan(groups);
  }

  /**
   * Returns a plan that has an {@linkplain RowKey#control A/A row} in each table, at the table's
   * first setting.
   */
  public RunPlan withControls() {
    List<Group> all = new ArrayList<>();
    Table last = null;
    for (Group group : groups) {
      all.add(group.table().equals(last) ? group : group.withControl());
      last = group.table();
    }
    return new RunPlan(all);
  }

  /** Returns the group of a row. */
  public Group group(RowKey row) {
    return groups.stream()
        .filter(g -> g.specs().stream().anyMatch(spec -> spec.key().equals(row)))
        .findFirst()
        .orElseThrow();
  }

  /** Returns a row. */
  public RowSpec row(RowKey key) {
    return specs().filter(row -> row.key().equals(key)).findFirst().orElseThrow();
  }

  /** Returns all rows in the order of the tables. */
  public Stream<RowSpec> specs() {
    return groups.stream().flatMap(group -> group.specs().stream());
  }

  /**
   * Returns the forks of a round: one list for each setting of a table, in its order.
   *
   * @param shares whether a row may share a fork, if it {@linkplain RowSpec.Needs#shares can}. At a
   *     setting of a table, all rows that may do so or none, since a row alone in its JVM is in
   *     another condition
   */
  public List<List<RowFork>> forks(Predicate<RowKey> shares) {
    Map<Object, List<RowKey>> together = together(shares);
    Set<Group> apart = new HashSet<>();
    boolean more = true;
    while (more) {
      more = false;
      for (List<RowKey> rows : together.values()) {
        Set<Group> own = rows.stream().map(this::group).collect(Collectors.toSet());
        boolean alone = rows.size() == 1 && shares.test(rows.get(0));
        if (alone || own.stream().anyMatch(apart::contains)) {
          more |= apart.addAll(own);
        }
      }
    }
    together = together(row -> shares.test(row) && !apart.contains(group(row)));
    Map<Group, List<RowFork>> byFirst = new LinkedHashMap<>();
    for (List<RowKey> rows : together.values()) {
      byFirst.computeIfAbsent(group(rows.get(0)), g -> new ArrayList<>()).add(new RowFork(rows));
    }
    return List.copyOf(byFirst.values());
  }

  private Map<Object, List<RowKey>> together(Predicate<RowKey> shares) {
    return specs()
        .collect(
            Collectors.groupingBy(
                row -> shares.test(row.key()) ? shared(row) : row.key(),
                LinkedHashMap::new,
                Collectors.mapping(RowSpec::key, Collectors.toList())));
  }

  /** Returns what rows have in common that may share a fork. */
  private static List<Object> shared(RowSpec row) {
    RowSpec.Needs needs = row.needs();
    return Arrays.asList(
        row.key().isControl(),
        needs.shares() == null ? row.key() : needs.shares(),
        needs.flags(),
        row.work().load(),
        needs.foreign() ? row.key() : null,
        row.promise().processes() == 1 ? null : row.key());
  }

  /** Returns a plan of some of its rows. */
  public RunPlan with(Predicate<RowKey> some) {
    return new RunPlan(
        groups.stream()
            .map(
                g ->
                    new Group(
                        g.suite(),
                        g.table(),
                        g.specs().stream().filter(row -> some.test(row.key())).toList()))
            .filter(g -> !g.specs().isEmpty())
            .toList());
  }

  /**
   * Returns why rows of other programs do not run, in one line; null if they do.
   *
   * @param pin whether the run gives each end processors of its own
   * @param server whether the servers are those of another machine
   */
  public static @Nullable String foreignObstacle(boolean pin, boolean server) {
    return pin
        ? "--pin cannot give processors to other programs"
        : server ? "--server cannot start other programs there" : null;
  }

  private static Set<RowKey> wanted(
      List<RowKey> first, List<RowKey> others, List<RowFilter> filters) throws LabException {
    if (filters.isEmpty()) {
      return Set.copyOf(first);
    }
    Set<RowKey> wanted = new HashSet<>();
    for (RowFilter filter : filters) {
      List<RowKey> kept = first.stream().filter(filter::matches).toList();
      if (kept.isEmpty()) {
        kept = others.stream().filter(filter::matches).toList();
      }
      if (kept.isEmpty()) {
        throw LabException.usage(
            "filter '" + filter + "' keeps no row: none has all of these values; see bench --list");
      }
      wanted.addAll(kept);
    }
    return wanted;
  }

  private static List<RowKey> rows(Map<Suite, List<Table>> tables, Predicate<Table> some) {
    List<RowKey> rows = new ArrayList<>();
    tables.forEach(
        (suite, own) ->
            own.stream().filter(some).forEach(t -> t.groups(suite.name()).forEach(rows::addAll)));
    return rows;
  }

  private static List<RowKey> keep(List<RowKey> rivals, String baseline, Set<RowKey> wanted) {
    return rivals.stream().noneMatch(wanted::contains)
        ? List.of()
        : rivals.stream().filter(r -> wanted.contains(r) || r.method().equals(baseline)).toList();
  }

  /** Returns the loads of its rows that are not the run's file. */
  public List<Load> loads() {
    return specs().map(row -> row.work().load()).flatMap(Stream::ofNullable).distinct().toList();
  }

  /**
   * Returns the ceilings that the rows need, grouped by fork: one fork per load, and a separate
   * fork for codecs. The ceilings of the run's file come first.
   */
  public List<RowFork> ceilingForks() {
    Set<CeilingName> ofOwnFile = EnumSet.noneOf(CeilingName.class);
    Map<Load, Set<CeilingName>> ofLoads = new LinkedHashMap<>();
    specs()
        .forEach(
            row -> {
              Load load = row.work().load();
              Set<CeilingName> names =
                  load == null
                      ? ofOwnFile
                      : ofLoads.computeIfAbsent(load, l -> EnumSet.noneOf(CeilingName.class));
              names.addAll(row.bounds().ceilings());
              ofOwnFile.addAll(row.bounds().parts());
            });
    List<RowFork> forks = new ArrayList<>(forks(ofOwnFile, null));
    ofLoads.forEach((load, names) -> forks.addAll(forks(names, load)));
    return forks;
  }

  /**
   * Returns the ceilings of the rows that can run.
   *
   * @param distant whether there is a network between the two ends, and not the loopback
   */
  public List<RowFork> ceilingForks(boolean distant) {
    return !distant
        ? new RunPlan(groups.stream().filter(g -> !g.suite().needsNetwork()).toList())
            .ceilingForks()
        : ceilingForks();
  }

  private static List<RowFork> forks(Set<CeilingName> names, @Nullable Load load) {
    return names.stream()
        .collect(
            Collectors.partitioningBy(
                CeilingName::compresses,
                Collectors.mapping(name -> RowKey.ceiling(name, load), Collectors.toList())))
        .values()
        .stream()
        .filter(keys -> !keys.isEmpty())
        .map(RowFork::new)
        .toList();
  }

  /** Returns the tables that are sorted by time, as {@code suite/table}. */
  public List<String> byTime() {
    return groups.stream()
        .filter(g -> g.table().byTime())
        .map(g -> g.suite().name() + "/" + g.table().name())
        .distinct()
        .toList();
  }

  /** Returns the number of rows. */
  public int size() {
    return (int) specs().count();
  }
}
