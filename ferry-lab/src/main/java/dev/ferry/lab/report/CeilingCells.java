package dev.ferry.lab.report;

import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Formats ceilings as text. */
final class CeilingCells {
  /** The column headers. */
  static final List<String> HEAD = List.of("Name", "Mean", "StdDev", "Median", "MB/s", "N");

  private static final double MIB = 1 << 20;
  private static final double MILLIS = 1e3;

  private CeilingCells() {}

  /** Returns one line per ceiling that was run; may be empty. */
  static List<List<String>> lines(RunDocument run) {
    return measured(run).stream().map(CeilingCells::line).toList();
  }

  /** Returns the descriptions of the ceilings and the reasons of their failures. */
  static List<String> notes(RunDocument run) {
    return measured(run).stream()
        .map(
            c ->
                c.status() == Status.FAILED
                    ? "Failed: " + c.title() + ": " + c.reason()
                    : c.way() == null
                        ? c.name() + ": " + c.does()
                        : c.title() + ": " + c.way() + "; " + c.does())
        // The description is the same for every load.
        .distinct()
        .toList();
  }

  private static List<Ceiling> measured(RunDocument run) {
    return run.ceilings().stream().filter(c -> c.status() != Status.SKIPPED).toList();
  }

  private static List<String> line(Ceiling c) {
    // The times of ceilings differ widely, so each has its own number of digits.
    int digits = Cells.digits(c.mean() == null ? 0 : c.mean());
    return List.of(
        c.title(),
        c.status() == Status.FAILED ? "failed" : Cells.millis(c.mean(), digits),
        Cells.millis(c.stdDev(), digits + 1),
        Cells.millis(c.median(), digits),
        Cells.number(rate(c.bytes(), c.median()), "%,.0f"),
        Integer.toString(c.n()));
  }

  /** Returns the rate in MB/s. As in the other columns, 1 MB is 1,048,576 bytes. */
  private static @Nullable Double rate(@Nullable Long bytes, @Nullable Double millis) {
    return bytes == null || millis == null || millis == 0
        ? null
        : (Double) (bytes / MIB / (millis / MILLIS));
  }
}
