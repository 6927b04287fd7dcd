package dev.ferry.bench;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.TableSettings;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists the rows of a plan and their estimated duration.
 *
 * @param profile the number of rounds and samples
 * @param time how long the rows may run; null for all rounds of the profile
 * @param fileBytes the size of the run's file in bytes
 * @param network the network between the two ends; null for the loopback
 * @param foreign why rows of other programs do not run; null if they do
 * @param distant whether there is a network between the two ends, and not the loopback
 */
record BenchList(
    Profile profile,
    @Nullable Duration time,
    long fileBytes,
    @Nullable Network network,
    @Nullable String foreign,
    boolean distant) {
  /**
   * Prints the list.
   *
   * @param suites the suites whose tables outside the plan are also named
   * @param settings the values of the tables' parameters
   */
  void print(PrintWriter out, RunPlan plan, List<Suite> suites, TableSettings settings)
      throws LabException {
    Map<RowKey, String> skipped = new LinkedHashMap<>();
    String heading = "";
    for (RunPlan.Group group : plan.groups()) {
      for (RowSpec spec : group.specs()) {
        RowKey row = spec.key();
        String table = row.suite() + ": " + row.table();
        if (!table.equals(heading)) {
          heading = table;
          out.println(table + " (" + group.suite().description() + ")");
        }
        String note =
            row.method().equals(group.baseline())
                ? " (baseline)"
                : row.isControl() ? " (the baseline again, for the noise floor)" : "";
        String obstacle = group.obstacle(spec, foreign, distant);
        if (obstacle != null) {
          skipped.put(row, obstacle);
        }
        String here = obstacle == null ? "" : " (skipped here: " + obstacle + ")";
        out.println("  " + row.setting() + " " + row.method() + note + here);
      }
    }
    printCeilings(out, plan.ceilingForks(distant));
    printTime(out, plan, skipped);
    for (Suite suite : suites) {
      for (Table table : suite.tables()) {
        if (isOutside(plan, suite, table)) {
          RunPlan request =
              RunPlan.ofTables(List.of(suite), List.of(table.name()), List.of(), settings);
          out.println(
              "not among them: %s: %s, %d rows, %s; --tables %s runs it"
                  .formatted(
                      suite.name(),
                      table.name(),
                      request.size(),
                      BenchProgress.about(profile.estimate(request, fileBytes, network)),
                      table.name()));
        }
      }
    }
    out.flush();
  }

  /**
   * Prints how many rows there are and how long those that run take.
   *
   * @param skipped why rows do not run
   */
  private void printTime(PrintWriter out, RunPlan plan, Map<RowKey, String> skipped) {
    RunPlan running = plan.with(row -> !skipped.containsKey(row));
    out.println(
        "%d rows%s, profile %s (rounds %d, samples per fork %d): %s with a file of %,d bytes"
            .formatted(
                plan.size(),
                skipped.isEmpty() ? "" : ", " + skipped.size() + " of them skipped here",
                profile.label(),
                profile.settings().rounds(),
                profile.settings().samplesPerRound(),
                BenchProgress.about(
                    time == null ? profile.estimate(running, fileBytes, network) : time),
                fileBytes));
    Map<String, Integer> reasons = new LinkedHashMap<>();
    skipped.forEach((row, why) -> reasons.merge(row.method() + ": " + why, 1, Integer::sum));
    reasons.forEach(
        (why, rows) ->
            out.println("skipped here, " + rows + (rows == 1 ? " row of " : " rows of ") + why));
    Duration needed = profile.leastEstimate(running, fileBytes, network, time != null && !distant);
    boolean enough =
        time == null
            ? profile.settings().rounds() >= Criteria.LEAST_FORKS
            : time.compareTo(needed) >= 0;
    if (!enough && running.size() > 0) {
      out.println(BenchProgress.tooShortFor(needed));
    }
  }

  private static void printCeilings(PrintWriter out, List<RowFork> forks) {
    if (forks.isEmpty()) {
      return;
    }
    out.println("ceilings (single parts of the work, measured beside the rows)");
    forks.stream()
        .flatMap(fork -> fork.keys().stream())
        .map(CeilingName::of)
        .distinct()
        .forEach(c -> out.println("  " + c + ": " + c.does()));
    for (RowFork fork : forks) {
      Load load = fork.first().ceilingLoad();
      if (load != null) {
        String names = fork.keys().stream().map(RowKey::method).collect(Collectors.joining(", "));
        out.println("  with " + load + ": " + names);
      }
    }
  }

  private static boolean isOutside(RunPlan plan, Suite suite, Table table) {
    return plan.specs()
        .map(RowSpec::key)
        .noneMatch(r -> r.suite().equals(suite.name()) && r.table().equals(table.name()));
  }
}
