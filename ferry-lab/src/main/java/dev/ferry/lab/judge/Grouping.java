package dev.ferry.lab.judge;

import dev.ferry.lab.model.Interval;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a table are compared, and with which one. A table prints its ratios but rarely says
 * what they refer to: a method, a job, a runtime, or a row of each category may be the baseline.
 * What explains the printed ratios best is taken for it. The baseline's own ratio does not identify
 * it, since noise may move that from 1.00.
 *
 * @param groups the rows with figures, in groups that have one baseline each
 * @param explained whether the groups and baselines are those of the printed ratios
 * @param comparedWith with what the rows are compared, a sentence
 */
record Grouping(List<Group> groups, boolean explained, String comparedWith) {
  private static final String METHOD = "Method";

  /** A column of mere labels, or of groups. */
  private static final String CATEGORIES = "Categories";

  /** The columns that name the class of a method. */
  private static final Set<String> TYPE = Set.of("Namespace", "Type");

  /** The columns that describe the job, that is how the methods were run. */
  static final Set<String> JOB =
      Set.of(
          ("Job Runtime Toolchain Framework Platform Jit Arguments EnvironmentVariables Server"
                  + " Concurrent Force Affinity PowerPlanMode CpuGroups AllowVeryLargeObjects"
                  + " RetainVm NoAffinitize HeapAffinitizeMask HeapCount Clock EngineFactory"
                  + " BuildConfiguration NuGetReferences RunStrategy LaunchCount InvocationCount"
                  + " UnrollFactor IterationCount MinIterationCount MaxIterationCount TargetCount"
                  + " MinTargetIterationCount MaxTargetIterationCount"
                  + " IterationTime WarmupCount MinWarmupIterationCount MaxWarmupIterationCount"
                  + " MemoryRandomization")
              .split(" "));

  /** The misfit of a row whose group has no baseline. */
  private static final double NO_BASELINE = 9;

  /** A smaller misfit is noise. */
  private static final double NOISE = 0.2;

  /** A difference of misfits that decides nothing. */
  private static final double TIE = 1e-6;

  private static final int NAMED = 3;

  /** How many rows of a group are tried as its baseline. */
  private static final int CANDIDATES = 100;

  /**
   * Rows that are compared.
   *
   * @param rows the rows, at least one
   * @param base the row with which the others are compared; null if it is not known
   */
  record Group(List<PublishedRow> rows, @Nullable PublishedRow base) {}

  /**
   * Returns the groups of rows of one table.
   *
   * @param stated the method that the text names as the baseline; empty if it names none
   */
  static Grouping of(List<PublishedRow> rows, String stated) {
    List<PublishedRow> measured = rows.stream().filter(r -> r.mean() != null).toList();
    if (measured.stream().allMatch(r -> r.ratio() == null)) {
      return fastest(measured, "The table names no baseline");
    }
    return new Search(measured, stated)
        .best()
        .orElseGet(() -> fastest(measured, "The printed Ratio fits no row as the baseline"));
  }

  /** Returns the group of each row that has a figure; rows are told apart by identity. */
  Map<PublishedRow, Group> ofRows() {
    Map<PublishedRow, Group> ofRows = new IdentityHashMap<>();
    groups.forEach(g -> g.rows().forEach(r -> ofRows.put(r, g)));
    return ofRows;
  }

  /** Compares methods at equal parameters, or jobs if there is one method only. */
  private static Grouping fastest(List<PublishedRow> rows, String why) {
    Set<String> names = names(rows);
    String of = "equal parameters";
    Collection<List<PublishedRow>> groups = parts(rows, without(names, Set.of(METHOD)));
    if (areAlternatives(rows)) {
      of = "the same method";
      groups = parts(rows, without(names, TYPE));
    } else if (groups.size() == rows.size() && names.stream().anyMatch(JOB::contains)) {
      of = "the same method";
      groups = parts(rows, without(names, JOB));
    }
    return new Grouping(
        groups.stream()
            .map(
                g ->
                    new Group(
                        g,
                        Collections.min(
                            g,
                            Comparator.comparing(Grouping::isNothing)
                                .thenComparingDouble(Claims::mean))))
            .toList(),
        false,
        why + "; compared with the fastest of " + of);
  }

  /** Returns whether a mean is not distinguishable from 0, so that it is no measure for others. */
  private static boolean isNothing(PublishedRow row) {
    Interval interval = row.interval();
    return interval == null ? Claims.mean(row) <= 0 : interval.low() <= 0;
  }

  /**
   * Returns whether the classes of a table are to be compared, as {@code --join} sets them below
   * each other: they have the same methods. One class with several type arguments is not that.
   */
  private static boolean areAlternatives(List<PublishedRow> rows) {
    Map<String, Set<String>> types = new LinkedHashMap<>();
    for (PublishedRow row : rows) {
      String type = row.parameters().getOrDefault("Type", "").replaceAll("[<(\\[].*", "");
      types.computeIfAbsent(row.method(), m -> new HashSet<>()).add(type);
    }
    return types.values().stream().allMatch(t -> t.size() > 1);
  }

  /** Returns the names of the columns that tell rows apart. */
  private static Set<String> names(List<PublishedRow> rows) {
    Set<String> names = new LinkedHashSet<>(List.of(METHOD));
    rows.stream().limit(1).forEach(r -> names.addAll(r.parameters().keySet()));
    names.remove(CATEGORIES);
    return names;
  }

  private static Set<String> without(Set<String> names, Set<String> others) {
    return names.stream()
        .filter(n -> !others.contains(n))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static List<String> values(PublishedRow row, Set<String> columns) {
    return columns.stream()
        .map(c -> c.equals(METHOD) ? row.method() : row.parameters().getOrDefault(c, ""))
        .toList();
  }

  /** Returns the rows with equal values that no line separates. */
  private static Collection<List<PublishedRow>> parts(
      List<PublishedRow> rows, Set<String> columns) {
    return rows.stream()
        .collect(
            Collectors.groupingBy(
                r -> List.of(r.part(), values(r, columns)),
                LinkedHashMap::new,
                Collectors.toList()))
        .values();
  }

  /** Looks for the baselines that explain the printed ratios of a table. */
  private static final class Search {
    private final List<PublishedRow> rows;
    private final @Nullable String stated;
    private final Set<String> names;
    private final boolean marks;
    private double least = Double.POSITIVE_INFINITY;
    private @Nullable Grouping best;

    Search(List<PublishedRow> rows, String stated) {
      this.rows = rows;
      boolean known = !stated.isEmpty() && rows.stream().anyMatch(r -> r.method().equals(stated));
      this.stated = known ? stated : null;
      this.names = names(rows);
      this.marks = rows.stream().anyMatch(PublishedRow::isMarked);
    }

    /** Returns the best explanation; empty if none is good. */
    Optional<Grouping> best() {
      // Tables of Markdown separate groups, which nothing is compared across. Other dialects, old
      // versions and editors do not.
      Collection<List<PublishedRow>> parts = parts(rows, Set.of());
      baselines().forEach(columns -> tryValues(parts, columns));
      if (parts.size() > 1) {
        tryEach(parts);
        if (best != null && explains(best)) {
          return Optional.of(best);
        }
        least = Double.POSITIVE_INFINITY;
      }
      List<Collection<List<PublishedRow>>> partitions = new ArrayList<>();
      for (Set<String> groups : List.of(Set.<String>of(), Set.of(CATEGORIES))) {
        for (Set<String> columns : baselines()) {
          Set<String> keys = without(names, columns);
          keys.addAll(groups);
          partitions.add(parts(rows, keys));
          tryValues(partitions.get(partitions.size() - 1), columns);
        }
      }
      partitions.forEach(this::tryEach);
      return Optional.ofNullable(best).filter(this::explains);
    }

    /** Returns the columns whose values may name the baseline, the likely ones first. */
    private Set<Set<String>> baselines() {
      Set<String> others = without(names, JOB);
      Set<Set<String>> columns = new LinkedHashSet<>(List.of(Set.of(METHOD)));
      columns.add(without(names, others));
      columns.add(without(names, without(others, Set.of(METHOD))));
      names.forEach(name -> columns.add(Set.of(name)));
      columns.add(names);
      columns.remove(Set.of());
      return columns;
    }

    /** Tries each value of some columns as the baseline of all groups. */
    private void tryValues(Collection<List<PublishedRow>> groups, Set<String> columns) {
      Map<List<String>, Map<List<PublishedRow>, @Nullable PublishedRow>> bases =
          new LinkedHashMap<>();
      rows.forEach(r -> bases.putIfAbsent(values(r, columns), new IdentityHashMap<>()));
      for (List<PublishedRow> group : groups) {
        for (PublishedRow row : group) {
          Map<List<PublishedRow>, @Nullable PublishedRow> base =
              Objects.requireNonNull(bases.get(values(row, columns)));
          // Two rows of a group with that value are no baseline.
          base.put(group, base.containsKey(group) ? null : row);
        }
      }
      bases.forEach((value, base) -> consider(groups, base::get, String.join(" ", value), 1));
    }

    /**
     * Tries a row of each group as its baseline; this explains more, and so has to explain well.
     */
    private void tryEach(Collection<List<PublishedRow>> groups) {
      consider(groups, this::fitting, "", 0.5);
    }

    /**
     * Returns the row that fits best as the baseline of a group: its printed ratio is near to 1, as
     * far as the noise of its samples allows.
     */
    private @Nullable PublishedRow fitting(List<PublishedRow> group) {
      List<PublishedRow> candidates =
          group.stream()
              .filter(r -> r.ratio() != null && ofItself(r) < NOISE)
              .sorted(Comparator.comparingDouble(Search::ofItself))
              .limit(CANDIDATES)
              .toList();
      PublishedRow fitting = null;
      double smallest = Double.POSITIVE_INFINITY;
      for (PublishedRow row : candidates) {
        double misfit = misfit(group, row, smallest);
        if (misfit < smallest) {
          fitting = row;
          smallest = misfit;
        }
      }
      return fitting;
    }

    /** Returns how far the printed ratio of a row is from that of a baseline. */
    private static double ofItself(PublishedRow row) {
      return misfit(row.ratio(), row.mean(), row.mean(), Claims.noise(row, row));
    }

    /**
     * Takes baselines if they explain more than the best ones so far.
     *
     * @param part the part of the least misfit that theirs has to be below
     */
    private void consider(
        Collection<List<PublishedRow>> rows,
        Function<List<PublishedRow>, @Nullable PublishedRow> baseOf,
        String name,
        double part) {
      double limit = part * least - TIE;
      double misfit = 0;
      for (List<PublishedRow> group : rows) {
        misfit += misfit(group, baseOf.apply(group), limit - misfit);
        if (misfit >= limit) {
          return;
        }
      }
      least = misfit;
      List<Group> groups = rows.stream().map(g -> new Group(g, baseOf.apply(g))).toList();
      String words = name.isEmpty() ? "the baseline of each group (" + named(groups) + ")" : name;
      best = new Grouping(groups, true, "Compared with " + words);
    }

    private static String named(List<Group> groups) {
      List<String> bases =
          groups.stream()
              .flatMap(g -> Stream.ofNullable(g.base()))
              .map(PublishedRow::method)
              .distinct()
              .toList();
      return bases.stream().limit(NAMED).collect(Collectors.joining(", "))
          + (bases.size() > NAMED ? ", ..." : "");
    }

    /** Returns the misfit of a group, or the part of it that reaches a limit. */
    private double misfit(List<PublishedRow> group, @Nullable PublishedRow base, double limit) {
      boolean wrong =
          base == null
              || Claims.mean(base) == 0
              || (stated != null && !base.method().equals(stated))
              || (marks && !base.isMarked() && group.stream().anyMatch(PublishedRow::isMarked));
      double misfit = 0;
      for (PublishedRow row : group) {
        if (misfit >= limit) {
          break;
        }
        if (row.ratio() != null) {
          misfit += base == null || wrong ? NO_BASELINE : misfit(row, base);
        }
      }
      return misfit;
    }

    /** Returns how far the printed ratios of a row are from those of the means. */
    private static double misfit(PublishedRow row, PublishedRow base) {
      return misfit(row.ratio(), row.mean(), base.mean(), row == base ? 0 : Claims.noise(row, base))
          + misfit(row.allocRatio(), row.allocated(), base.allocated(), 0);
    }

    /** Returns how far a printed ratio is from the quotient of two figures; 0 if not known. */
    private static double misfit(
        @Nullable Figure ratio, @Nullable Figure row, @Nullable Figure base, double noise) {
      return ratio == null
              || row == null
              || base == null
              || ratio.value() * row.value() * base.value() <= 0
          ? 0
          : Math.max(
              0,
              Math.abs(Math.log(ratio.value() * base.value() / row.value()))
                  - ratio.rounding() / ratio.value()
                  - noise);
    }

    /** Returns whether at least half of the ratios are near to those of the means. */
    private boolean explains(Grouping grouping) {
      List<Boolean> near = new ArrayList<>();
      for (Group group : grouping.groups()) {
        group.rows().stream()
            .filter(r -> r != group.base() && r.ratio() != null)
            .forEach(r -> near.add(group.base() != null && misfit(r, group.base()) < NOISE));
      }
      return 2 * Collections.frequency(near, true) >= near.size()
          || (stated != null && least < NO_BASELINE * rows.size());
    }
  }
}
