package dev.ferry.lab.report;

import dev.ferry.lab.model.Latency;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Part;
import dev.ferry.lab.model.ProcessUse;
import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Formats rows as text with the columns, units and digits of the reference tables. */
final class Cells {
  private static final String NONE = "-";
  private static final double KILO = 1024;

  /**
   * More digits are needed because file sizes and counts spread the times of one table over orders
   * of magnitude.
   */
  private static final int LOAD_DIGITS = 3;

  private final List<Column> columns = new ArrayList<>();
  private final int digits;

  /** A column header and the function that formats the cell of a row. */
  private record Column(String head, Function<Row, String> cell) {}

  private Cells(Tables.Section table) {
    boolean files = any(table, r -> r.setup().load() != null && r.setup().load().movesFiles());
    boolean calls = any(table, r -> r.setup().load() != null && !r.setup().load().movesFiles());
    boolean sides = any(table, r -> r.client() != null || r.server() != null);
    digits = files ? LOAD_DIGITS : digits(greatestMean(table));
    names(table);
    figures(table);
    if (files) {
      files();
    }
    if (calls) {
      calls();
    }
    if (any(table, r -> r.latency() != null)) {
      latencies();
    }
    if (calls || table.rttMillis() != null || any(table, r -> r.latency() != null)) {
      parts(table);
    }
    if (sides) {
      sides();
      if (files) {
        loadSides();
      }
    }
  }

  /** Selects the columns and one number of digits for a table. */
  static Cells of(Tables.Section table) {
    return new Cells(table);
  }

  private static boolean any(Tables.Section table, Function<Row, Boolean> question) {
    return table.rows().stream().anyMatch(question::apply);
  }

  private static double greatestMean(Tables.Section table) {
    return table.rows().stream().filter(Row::measured).mapToDouble(Cells::mean).max().orElse(0);
  }

  private static double mean(Row row) {
    Double mean = row.time().mean();
    return mean == null ? 0 : mean;
  }

  /** Returns whether the interval of the mean reaches below zero, so that it says nothing. */
  static boolean isBeyondMean(Row row) {
    Double error = row.time().error();
    return error != null && error > mean(row);
  }

  /** Returns the number of decimal places for a time. */
  static int digits(double time) {
    return time >= 1_000 ? 1 : time >= 10 ? 2 : 3;
  }

  /** Returns the column headers. */
  List<String> head() {
    return columns.stream().map(Column::head).toList();
  }

  /** Returns the cells of a row. */
  List<String> row(Row row) {
    return columns.stream().map(c -> c.cell().apply(row)).toList();
  }

  private void column(String head, Function<Row, String> cell) {
    columns.add(new Column(head, cell));
  }

  private void names(Tables.Section table) {
    column("Method", Row::method);
    for (String name : table.parameters()) {
      column(name, r -> parameter(r.parameters().getOrDefault(name, NONE)));
    }
  }

  private void figures(Tables.Section table) {
    column(
        "Mean",
        r ->
            switch (r.status()) {
              case OK -> time(r, r.time().mean(), digits);
              case FAILED -> "failed";
              case SKIPPED -> "skipped";
            });
    column("Error", r -> time(r, isBeyondMean(r) ? null : r.time().error(), digits + 1));
    column("StdDev", r -> time(r, r.time().stdDev(), digits + 1));
    column("Median", r -> time(r, r.time().median(), digits));
    column("Forks", r -> Integer.toString(r.forks().size()));
    column("Ratio", r -> number(r.time().ratio(), "%.2f"));
    column("RatioSD", r -> number(r.time().ratioStdDev(), "%.2f"));
    column("Gen0", r -> collections(r.memory().gen0()));
    column("Gen1", r -> collections(r.memory().gen1()));
    column("Allocated", r -> allocated(r.memory().allocatedBytes()));
    column("Alloc Ratio", r -> number(r.memory().allocRatio(), "%.2f"));
    column("CPU", r -> cpu(r, r.cpu().millis()));
    column("Direct", r -> megabytes(r.memory().directPeakBytes()));
    column("Ceiling", r -> number(r.bound().times(), "%.2fx"));
    if (table.rttMillis() != null) {
      double rttMillis = table.rttMillis();
      column("RTTs", r -> number(roundTrips(r, rttMillis), "%,.2f"));
    }
    if (any(table, r -> r.comparison() != null)) {
      column(
          "Ratio 95 %",
          r -> r.comparison() == null ? NONE : VerdictText.interval(r.comparison().time()));
      column("Verdict", r -> r.comparison() == null ? NONE : r.comparison().verdict().label());
    }
  }

  /** Returns the median in round-trip times of the network. */
  private static @Nullable Double roundTrips(Row row, double rttMillis) {
    Double median = row.time().median();
    double millis = row.time().unit().nanos() / Unit.MILLIS.nanos();
    return median == null || rttMillis == 0 ? null : (Double) (median * millis / rttMillis);
  }

  /** Adds columns if rows transfer files with their own sizes and counts. */
  private void files() {
    column(
        "Files", r -> r.setup().load() == null ? "1" : Integer.toString(r.setup().load().files()));
    column("N", r -> Integer.toString(r.time().n()));
    column("MB/s", r -> number(r.mebibytesPerSecond(), "%,.1f"));
    column("ns/byte", r -> number(r.nanosPerByte(), "%,.3f"));
    column("CPU/GiB", r -> number(r.perGib(r.cpu().millis()), "%,.1f ms"));
    column("Heap peak", r -> megabytes(r.memory().heapPeakBytes()));
  }

  /** Adds columns if rows make calls. */
  private void calls() {
    column("Calls", r -> operations(r.setup().load()));
    column("N", r -> Integer.toString(r.time().n()));
    column("Calls/s", r -> number(r.operationsPerSecond(), "%,.0f"));
    column("Switches", r -> number(r.cpu().switches(), "%,.2f"));
    column("Heap peak", r -> megabytes(r.memory().heapPeakBytes()));
  }

  /**
   * Adds columns with the duration of single operations, because the mean of concurrent operations
   * is not their duration.
   */
  private void latencies() {
    latency("Latency p50", Latency::p50);
    latency("p90", Latency::p90);
    latency("p99", Latency::p99);
    latency("p99.9", Latency::p999);
    latency("Max", Latency::max);
  }

  private void parts(Tables.Section table) {
    Set<String> parts = new LinkedHashSet<>();
    // The row with the most parts determines their order.
    table.rows().stream()
        .sorted(Comparator.comparingInt((Row r) -> r.parts().size()).reversed())
        .forEach(r -> r.parts().forEach(p -> parts.add(p.name())));
    parts.forEach(name -> column(name, r -> part(r, name)));
  }

  private static String operations(@Nullable Load load) {
    return Integer.toString(load == null ? 1 : load.operations());
  }

  private void latency(String head, Function<Latency, Double> percentile) {
    column(
        head, r -> r.latency() == null ? NONE : number(percentile.apply(r.latency()), "%,.1f us"));
  }

  private static String part(Row row, String name) {
    return row.parts().stream()
        .filter(p -> p.name().equals(name))
        .map(Cells::part)
        .findFirst()
        .orElse(NONE);
  }

  private static String part(Part part) {
    String value = number(part.value(), "%,.2f");
    return part.unit().isEmpty() ? value : value + " " + part.unit();
  }

  /** Adds columns if client and server ran in separate processes. */
  private void sides() {
    side("Alloc", (r, s) -> allocated(s.allocatedBytes()));
    side("CPU", (r, s) -> cpu(r, s.cpuMillis()));
    side("GC", (r, s) -> collections(s.gen0() + s.gen1()));
    side("Direct", (r, s) -> megabytes(s.directPeakBytes()));
  }

  private void loadSides() {
    side("CPU/GiB", (r, s) -> number(r.perGib(s.cpuMillis()), "%,.1f ms"));
    side("Heap peak", (r, s) -> megabytes(s.heapPeakBytes()));
  }

  private void side(String head, BiFunction<Row, ProcessUse, String> cell) {
    column(head + " client", r -> side(r, r.client(), cell));
    column(head + " server", r -> side(r, r.server(), cell));
  }

  private static String side(
      Row row, @Nullable ProcessUse side, BiFunction<Row, ProcessUse, String> cell) {
    return side == null ? NONE : cell.apply(row, side);
  }

  /** Formats a parameter value. Booleans are formatted as in the reference. */
  static String parameter(String value) {
    return switch (value) {
      case "true" -> "True";
      case "false" -> "False";
      default -> value;
    };
  }

  /** Formats a time in the unit of the row. */
  private static String time(Row row, @Nullable Double value, int digits) {
    return number(value, "%,." + digits + "f " + row.time().unit());
  }

  /** Converts a time from milliseconds to the unit of the row and formats it. */
  private String cpu(Row row, @Nullable Double millis) {
    double factor = Unit.MILLIS.nanos() / row.time().unit().nanos();
    return time(row, millis == null ? null : (Double) (millis * factor), digits);
  }

  static String millis(@Nullable Double value, int digits) {
    return number(value, "%,." + digits + "f " + Unit.MILLIS);
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
    return value == null ? NONE : RootText.format(format, value);
  }
}
