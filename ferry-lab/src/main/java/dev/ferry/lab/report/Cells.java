package dev.ferry.lab.report;

import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows as text: columns, units and digits of the reference's tables. */
final class Cells {
  private static final String NONE = "-";
  private static final double KILO = 1024;

  private static final List<String> FIGURES =
      List.of(
          "Mean",
          "Error",
          "StdDev",
          "Median",
          "Ratio",
          "RatioSD",
          "Gen0",
          "Gen1",
          "Allocated",
          "Alloc Ratio",
          "CPU",
          "Direct",
          "Ceiling");

  /** More columns where client and server had a process each. */
  private static final List<String> SIDES =
      List.of(
          "Alloc client",
          "Alloc server",
          "CPU client",
          "CPU server",
          "GC client",
          "GC server",
          "Direct client",
          "Direct server");

  /** More columns where rows move files of their own sizes and numbers. */
  private static final List<String> LOAD =
      List.of("Files", "N", "MB/s", "ns/byte", "CPU/GiB", "Heap peak");

  private static final List<String> LOAD_SIDES =
      List.of("CPU/GiB client", "CPU/GiB server", "Heap peak client", "Heap peak server");

  private final int digits;
  private final boolean sides;
  private final boolean load;

  private Cells(int digits, boolean sides, boolean load) {
    this.digits = digits;
    this.sides = sides;
    this.load = load;
  }

  /** Chooses one number of digits for a whole table, by its greatest mean. */
  static Cells of(Tables.Section table) {
    double greatest =
        table.rows().stream().filter(Row::measured).mapToDouble(Cells::mean).max().orElse(0);
    // Sizes and numbers of files spread the times of one table over orders of magnitude.
    boolean load = hasLoad(table);
    int digits = load ? 3 : digits(greatest);
    return new Cells(digits, hasSides(table), load);
  }

  /** How many digits after the point suit a time in milliseconds. */
  static int digits(double millis) {
    return millis >= 1_000 ? 1 : millis >= 10 ? 2 : 3;
  }

  private static boolean hasLoad(Tables.Section table) {
    return table.rows().stream().anyMatch(r -> r.load() != null);
  }

  private static boolean hasSides(Tables.Section table) {
    return table.rows().stream().anyMatch(r -> r.client() != null || r.server() != null);
  }

  private static double mean(Row row) {
    Double mean = row.mean();
    return mean == null ? 0 : mean;
  }

  /** The head of the columns. */
  static List<String> head(Tables.Section table) {
    List<String> head = new ArrayList<>();
    head.add("Method");
    head.addAll(table.parameters());
    head.addAll(FIGURES);
    if (hasLoad(table)) {
      head.addAll(LOAD);
    }
    if (hasSides(table)) {
      head.addAll(SIDES);
      if (hasLoad(table)) {
        head.addAll(LOAD_SIDES);
      }
    }
    return head;
  }

  /** The cells of a row. */
  List<String> row(Row row) {
    List<String> cells = new ArrayList<>();
    cells.add(row.method());
    row.parameters().values().forEach(v -> cells.add(parameter(v)));
    cells.add(
        switch (row.status()) {
          case OK -> millis(row.mean(), digits);
          case FAILED -> "failed";
          case SKIPPED -> "skipped";
        });
    cells.add(millis(row.error(), digits + 1));
    cells.add(millis(row.stdDev(), digits + 1));
    cells.add(millis(row.median(), digits));
    cells.add(number(row.ratio(), "%.2f"));
    cells.add(number(row.ratioStdDev(), "%.2f"));
    cells.add(collections(row.gen0()));
    cells.add(collections(row.gen1()));
    cells.add(allocated(row.allocatedBytes()));
    cells.add(number(row.allocRatio(), "%.2f"));
    cells.add(millis(row.cpuMillis(), digits));
    cells.add(megabytes(row.directPeakBytes()));
    cells.add(number(row.timesCeiling(), "%.2fx"));
    if (load) {
      Load of = row.load();
      cells.add(of == null ? "1" : Integer.toString(of.files()));
      cells.add(Integer.toString(row.n()));
      cells.add(number(row.mebibytesPerSecond(), "%,.1f"));
      cells.add(number(row.nanosPerByte(), "%,.3f"));
      cells.add(number(row.perGib(row.cpuMillis()), "%,.1f ms"));
      cells.add(megabytes(row.heapPeakBytes()));
    }
    if (sides) {
      side(cells, row, s -> allocated(s.allocatedBytes()));
      side(cells, row, s -> millis(s.cpuMillis(), digits));
      side(cells, row, s -> collections(s.gen0() + s.gen1()));
      side(cells, row, s -> megabytes(s.directPeakBytes()));
      if (load) {
        side(cells, row, s -> number(row.perGib(s.cpuMillis()), "%,.1f ms"));
        side(cells, row, s -> megabytes(s.heapPeakBytes()));
      }
    }
    return cells;
  }

  private static void side(List<String> cells, Row row, Function<Side, String> cell) {
    Side client = row.client();
    Side server = row.server();
    cells.add(client == null ? NONE : cell.apply(client));
    cells.add(server == null ? NONE : cell.apply(server));
  }

  /** A parameter's value; yes and no as the reference prints them. */
  static String parameter(String value) {
    return switch (value) {
      case "true" -> "True";
      case "false" -> "False";
      default -> value;
    };
  }

  static String millis(@Nullable Double value, int digits) {
    return number(value, "%,." + digits + "f ms");
  }

  private static String collections(@Nullable Double value) {
    return value == null || value == 0 ? NONE : number(value, "%.4f");
  }

  private static String allocated(@Nullable Double bytes) {
    return bytes == null ? NONE : number(bytes / KILO, "%.2f KB");
  }

  private static String megabytes(@Nullable Long bytes) {
    return bytes == null ? NONE : number(bytes / KILO / KILO, "%.2f MB");
  }

  static String number(@Nullable Double value, String format) {
    return value == null ? NONE : String.format(Locale.ROOT, format, value);
  }
}
