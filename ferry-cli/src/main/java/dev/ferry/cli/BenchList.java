package dev.ferry.cli;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.suite.Plan;
import java.io.PrintWriter;
import java.util.List;

/** Lists the rows of a plan and what they are expected to take. */
final class BenchList {
  private BenchList() {}

  static void print(PrintWriter out, Plan plan, Profile profile) {
    String heading = "";
    for (Plan.Group group : plan.groups()) {
      for (RowKey row : group.rows()) {
        String table = row.suite() + ": " + row.table();
        if (!table.equals(heading)) {
          heading = table;
          out.println(table + " (" + group.suite().description() + ")");
        }
        String note = row.method().equals(group.baseline()) ? " (baseline)" : "";
        out.println("  " + row.setting() + " " + row.method() + note);
      }
    }
    List<List<CeilingName>> ceilings = plan.ceilingForks();
    if (!ceilings.isEmpty()) {
      out.println("ceilings (single parts of the work, measured before the rows of each round)");
      ceilings.stream().flatMap(List::stream).forEach(c -> out.println("  " + c + ": " + c.does()));
    }
    out.println(
        "%d rows, profile %s (rounds %d, samples per fork %d): %s with the default file"
            .formatted(
                plan.size(),
                profile.label(),
                profile.settings().rounds(),
                profile.settings().samplesPerRound(),
                BenchProgress.about(profile.estimate(plan))));
    out.flush();
  }
}
