package dev.ferry.lab.judge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a table are compared, and with which one. A table prints its ratios but rarely says
 * what they refer to: a method, a job, a runtime, or a row of each category may be the baseline.
 * What explains the printed ratios best is taken for it. The baseline's own ratio does not identify
 * it, since noise may move that from 1.00.
 *
 * @param groups the rows with figures, in groups that have one baseline each
 * @param baseline the baseline in words, if the ratios are explained; else empty
 * @param comparedWith with what the rows are compared, a sentence
 */
record Grouping(List<Group> groups, Optional<String> baseline, String comparedWith) {
  private static final String METHOD = "Method";

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

  /** Columns that may be mere labels, or separate groups. */
  private static final Set<String> LABELS = Set.of("Categories", "Namespace", "Type");

  /** The misfit of a row whose group has no baseline. */
  private static final double NO_BASELINE = 9;

  /** A smaller misfit is noise. */
  private static final double NOISE = 0.2;

  /** A difference of misfits that decides nothing. */
  private static final double TIE = 1e-6;

  private static final int NAMED = 3;

  /**
   * Rows that are compared.
   *
   * @param rows the rows, at least one
   * @param base the row with which the others are compared; null if it is not known
   */
  record Group(List<PublishedRow> rows, @Nullable PublishedRow base) {}

  /** Returns the groups of rows of one table. */
  static Grouping of(List<PublishedRow> rows, @Nullable String stated) {
    List<PublishedRow> measured = rows.stream().filter(r -> r.mean() != null).toList();
    if (measured.stream().allMatch(r -> r.ratio() == null)) {
      return fastest(measured, "The table names no baseline");
    }
    Search search = new Search(measured, stated);
    return search
        .best()
        .orElseGet(() -> fastest(measured, "The printed Ratio fits no row as the baseline"));
  }

  /** Returns the group of a row; empty if it has no figure. */
  Optional<Group> of(PublishedRow row) {
    return groups.stream().filter(g -> g.rows().contains(row)).findFirst();
  }

  /** Compares methods at equal parameters, or jobs if there is one method only. */
  private static Grouping fastest(List<PublishedRow> rows, String why) {
    Set<String> names = names(rows);
    Collection<List<PublishedRow>> groups =
        partition(rows, r -> List.of(r.part(), values(r, without(names, METHOD, "Categories"))));
    String of = "equal parameters";
    if (groups.size() == rows.size() && names.stream().anyMatch(JOB::contains)) {
      Set<String> others = without(names, "Categories");
      others.removeAll(JOB);
      groups = partition(rows, r -> List.of(r.part(), values(r, others)));
      of = "the same method";
    }
    return new Grouping(
        groups.stream()
            .map(
                g ->
                    new Group(
                        g, g.stream().min(Comparator.comparingDouble(Claims::mean)).orElseThrow()))
            .toList(),
        Optional.empty(),
        why + "; compared with the fastest of " + of);
  }

  /** Returns the names of the columns that tell rows apart. */
  private static Set<String> names(List<PublishedRow> rows) {
    Set<String> names = new LinkedHashSet<>(List.of(METHOD));
    rows.forEach(r -> names.addAll(r.parameters().keySet()));
    return names;
  }

  private static Set<String> without(Set<String> names, String... others) {
    Set<String> rest = new LinkedHashSet<>(names);
    List.of(others).forEach(rest::remove);
    return rest;
  }

  private static List<String> values(PublishedRow row, Set<String> columns) {
    return columns.stream()
        .map(c -> c.equals(METHOD) ? row.method() : row.parameters().getOrDefault(c, ""))
        .toList();
  }

  private static Collection<List<PublishedRow>> partition(
      List<PublishedRow> rows, Function<PublishedRow, Object> key) {
    return rows.stream()
        .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  /** Looks for the baselines that explain the printed ratios of a table. */
  private static final class Search {
    private final List<PublishedRow> rows;
    private final @Nullable String stated;
    private final Set<String> names;
    private final Set<String> jobs;
    private final Set<String> labels;
    private double least = Double.POSITIVE_INFINITY;
    private @Nullable Grouping best;

    Search(List<PublishedRow> rows, @Nullable String stated) {
      this.rows = rows;
      this.stated = rows.stream().anyMatch(r -> r.method().equals(stated)) ? stated : null;
      this.names = names(rows);
      this.jobs = new LinkedHashSet<>(names);
      jobs.retainAll(JOB);
      this.labels = new LinkedHashSet<>(names);
      labels.retainAll(LABELS);
    }

    /** Returns the best explanation; empty if none is good. */
    Optional<Grouping> best() {
      // Tables of Markdown separate groups. Other dialects, old versions and editors do not.
      Collection<List<PublishedRow>> parts = partition(rows, PublishedRow::part);
      baselines().forEach(columns -> tryValues(parts, columns));
      if (parts.size() > 1) {
        tryEach(parts);
        if (best != null && explains(best)) {
          return Optional.of(best);
        }
        least = Double.POSITIVE_INFINITY;
      }
      Set<Set<String>> kept = new LinkedHashSet<>();
      kept.add(without(labels, "Categories"));
      kept.add(labels);
      kept.add(Set.of());
      List<Collection<List<PublishedRow>>> partitions = new ArrayList<>();
      for (Set<String> keep : kept) {
        for (Set<String> columns : baselines()) {
          Set<String> keys = new LinkedHashSet<>(names);
          keys.removeAll(columns);
          keys.removeIf(k -> labels.contains(k) && !keep.contains(k));
          partitions.add(partition(rows, r -> values(r, keys)));
          tryValues(partitions.get(partitions.size() - 1), columns);
        }
      }
      partitions.forEach(this::tryEach);
      return Optional.ofNullable(best).filter(this::explains);
    }

    /** Returns the columns whose values may name the baseline, the likely ones first. */
    private Set<Set<String>> baselines() {
      Set<String> all = new LinkedHashSet<>(names);
      all.removeAll(labels);
      Set<String> both = new LinkedHashSet<>(Set.of(METHOD));
      both.addAll(jobs);
      Set<Set<String>> columns = new LinkedHashSet<>(List.of(Set.of(METHOD), jobs, both));
      all.forEach(name -> columns.add(Set.of(name)));
      columns.add(all);
      columns.remove(Set.of());
      return columns;
    }

    /** Tries each value of some columns as the baseline of all groups. */
    private void tryValues(Collection<List<PublishedRow>> groups, Set<String> columns) {
      Set<List<String>> candidates = new LinkedHashSet<>();
      rows.forEach(r -> candidates.add(values(r, columns)));
      for (List<String> values : candidates) {
        consider(
            groups,
            g -> {
              List<PublishedRow> same =
                  g.stream().filter(r -> values(r, columns).equals(values)).toList();
              return same.size() == 1 ? same.get(0) : null;
            },
            Optional.of(String.join(" ", values)),
            least - TIE);
      }
    }

    /**
     * Tries a row of each group as its baseline; this explains more, and so has to explain well.
     */
    private void tryEach(Collection<List<PublishedRow>> groups) {
      consider(
          groups,
          g ->
              g.stream()
                  .filter(r -> r.ratio() != null && r.ratio().value() == 1)
                  .min(Comparator.comparingDouble(r -> misfit(new Group(g, r))))
                  .orElse(null),
          Optional.empty(),
          least / 2 - TIE);
    }

    private void consider(
        Collection<List<PublishedRow>> rows,
        Function<List<PublishedRow>, @Nullable PublishedRow> baseOf,
        Optional<String> name,
        double limit) {
      List<Group> groups = rows.stream().map(g -> new Group(g, baseOf.apply(g))).toList();
      double misfit = groups.stream().mapToDouble(this::misfit).sum();
      if (misfit < limit) {
        least = misfit;
        String words = name.orElseGet(() -> "the baseline of each group (" + named(groups) + ")");
        best = new Grouping(groups, Optional.of(words), "Compared with " + words);
      }
    }

    private static String named(List<Group> groups) {
      List<String> bases =
          groups.stream()
              .map(Group::base)
              .filter(Objects::nonNull)
              .map(b -> Objects.requireNonNull(b).method())
              .distinct()
              .toList();
      return bases.stream().limit(NAMED).collect(Collectors.joining(", "))
          + (bases.size() > NAMED ? ", ..." : "");
    }

    /** Returns how far the printed ratios of a group are from those of its means. */
    private double misfit(Group group) {
      return group.rows().stream().mapToDouble(r -> misfit(r, group)).sum();
    }

    private double misfit(PublishedRow row, Group group) {
      PublishedRow base = group.base();
      if (row.ratio() == null) {
        return 0;
      }
      return base == null
              || Claims.mean(base) == 0
              || (stated != null && !base.method().equals(stated))
              || (!base.isMarked() && group.rows().stream().anyMatch(PublishedRow::isMarked))
          ? NO_BASELINE
          : Math.max(
                  0,
                  misfit(row.ratio(), row.mean(), base.mean())
                      - (row == base ? 0 : Claims.noise(row, base)))
              + misfit(row.allocRatio(), row.allocated(), base.allocated());
    }

    /** Returns how far a printed ratio is from the quotient of two figures; 0 if not known. */
    private static double misfit(
        @Nullable Figure ratio, @Nullable Figure row, @Nullable Figure base) {
      return ratio == null
              || row == null
              || base == null
              || ratio.value() * row.value() * base.value() <= 0
          ? 0
          : Math.max(
              0,
              Math.abs(Math.log(ratio.value() * base.value() / row.value()))
                  - ratio.rounding() / ratio.value());
    }

    /** Returns whether most ratios are near to those of the means. */
    private boolean explains(Grouping grouping) {
      int near = 0;
      int far = 0;
      for (Group group : grouping.groups()) {
        PublishedRow base = group.base();
        for (PublishedRow row : group.rows()) {
          if (row != base && row.ratio() != null) {
            boolean fits = base != null && misfit(row, group) < NOISE;
            near += fits ? 1 : 0;
            far += fits ? 0 : 1;
          }
        }
      }
      return near >= far || (stated != null && least < NO_BASELINE * rows.size());
    }
  }
}
