package dev.ferry.lab.report;

import dev.ferry.lab.model.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

  private final int digits;

  private Cells(int digits) {
    this.digits = digits;
  }

  /** Chooses one number of digits for a whole table, by its greatest mean. */
  static Cells of(Tables.Section table) {
    double greatest =
        table.rows().stream().filter(Row::measured).mapToDouble(Cells::mean).max().orElse(0);
    return new Cells(digits(greatest));
  }

  /** How many digits after the point suit a time in milliseconds. */
  static int digits(double millis) {
    return millis >= 1_000 ? 1 : millis >= 10 ? 2 : 3;
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
    cells.add(direct(row.directPeakBytes()));
    cells.add(number(row.timesCeiling(), "%.2fx"));
    return cells;
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

  private static String direct(@Nullable Long bytes) {
    return bytes == null ? NONE : number(bytes / KILO / KILO, "%.2f MB");
  }

  static String number(@Nullable Double value, String format) {
    return value == null ? NONE : String.format(Locale.ROOT, format, value);
  }
}
