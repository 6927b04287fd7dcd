package dev.ferry.bench;

import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.suite.Plan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.TableSettings;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists the rows of a plan and their estimated duration. */
final class BenchList {
  private BenchList() {}

  /**
   * Prints the list.
   *
   * @param suites the suites whose tables outside the plan are also named
   * @param settings the values of the tables' parameters
   * @param time how long the rows may run; null for all rounds of the profile
   * @param fileBytes the size of the run's file in bytes
   * @param network the network between the two ends; null for the loopback
   */
  static void print(
      PrintWriter out,
      Plan plan,
      List<Suite> suites,
      TableSettings settings,
      Profile profile,
      @Nullable Duration time,
      long fileBytes,
      @Nullable Network network)
      throws LabException {
    String heading = "";
    for (Plan.Group group : plan.groups()) {
      for (RowKey row : group.rows()) {
        String table = row.suite() + ": " + row.table();
        if (!table.equals(heading)) {
          heading = table;
          out.println(table + " (" + group.suite().description() + ")");
        }
        String note =
            row.method().equals(group.baseline())
                ? " (baseline)"
                : row.isControl() ? " (the baseline again, for the noise floor)" : "";
        String obstacle = group.obstacle(row);
        String skipped = obstacle == null ? "" : " (skipped here: " + obstacle + ")";
        out.println("  " + row.setting() + " " + row.method() + note + skipped);
      }
    }
    printCeilings(out, plan.ceilingForks());
    out.println(
        "%d rows, profile %s (rounds %d, samples per fork %d): %s with a file of %,d bytes"
            .formatted(
                plan.size(),
                profile.label(),
                profile.settings().rounds(),
                profile.settings().samplesPerRound(),
                BenchProgress.about(
                    time == null ? profile.estimate(plan, fileBytes, network) : time),
                fileBytes));
    Duration needed = profile.estimate(Criteria.LEAST_FORKS, plan, fileBytes, network);
    if (time == null
        ? profile.settings().rounds() < Criteria.LEAST_FORKS
        : time.compareTo(needed) < 0) {
      out.println(BenchProgress.tooShortFor(needed));
    }
    for (Suite suite : suites) {
      for (Table table : suite.tables()) {
        if (isOutside(plan, suite, table)) {
          Plan request = Plan.ofTables(List.of(suite), List.of(table.name()), List.of(), settings);
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

  private static void printCeilings(PrintWriter out, List<CeilingFork> forks) {
    if (forks.isEmpty()) {
      return;
    }
    out.println(
        "ceilings (single parts of the work, measured before the rows of the first round and the"
            + " third)");
    forks.stream()
        .flatMap(f -> f.names().stream())
        .distinct()
        .forEach(c -> out.println("  " + c + ": " + c.does()));
    for (CeilingFork fork : forks) {
      if (fork.load() != null) {
        String names =
            fork.names().stream().map(CeilingName::label).collect(Collectors.joining(", "));
        out.println("  with " + fork.load() + ": " + names);
      }
    }
  }

  private static boolean isOutside(Plan plan, Suite suite, Table table) {
    return plan.groups().stream()
        .flatMap(g -> g.rows().stream())
        .noneMatch(r -> r.suite().equals(suite.name()) && r.table().equals(table.name()));
  }
}
