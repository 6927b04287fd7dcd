package dev.ferry.lab.report;

import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.Unit;
import org.jspecify.annotations.Nullable;

/** Formats figures with three digits, for readers and not for files. */
public final class Figures {
  static final String NONE = "-";
  private static final double KILO = 1024;

  private Figures() {}

  /** Returns a time in the unit of a row, for instance {@code 31.4 ms}. */
  public static String time(Row row, double time) {
    return number(time) + " " + row.time().unit();
  }

  /** Returns the CPU time of an operation in the unit of the row. */
  static String cpu(Row row) {
    Double millis = row.cpu().millis();
    return millis == null
        ? NONE
        : time(row, millis * Unit.MILLIS.nanos() / row.time().unit().nanos());
  }

  /** Returns the heap that an operation allocates, for instance {@code 1.43 MB}. */
  static String heap(@Nullable Double bytes) {
    if (bytes == null) {
      return NONE;
    }
    return bytes < KILO * KILO ? number(bytes / KILO) + " KB" : number(bytes / KILO / KILO) + " MB";
  }

  /** Returns a figure with three digits, as tables and pictures show it. */
  static String number(double value) {
    return RootText.format(value >= 99.95 ? "%,.0f" : value >= 9.995 ? "%.1f" : "%.2f", value);
  }
}
