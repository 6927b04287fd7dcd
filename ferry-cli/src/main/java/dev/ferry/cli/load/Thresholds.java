package dev.ferry.cli.load;

import dev.ferry.cli.program.TimeConverter;
import dev.ferry.load.OperationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The figures at which a load fails, such as {@code p99>50ms,errors>0.1%,rate<900/s}. */
record Thresholds(List<Threshold> all) {
  /** No figure fails. */
  static final Thresholds NONE = new Thresholds(List.of());

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double PERCENT = 100;
  private static final Pattern TEXT =
      Pattern.compile(
          "(?:p(?<percentile>\\d{1,2}(?:\\.\\d{1,4})?)|(?<max>max))>(?<time>.+)"
              + "|errors>(?<share>\\d{1,3}(?:\\.\\d{1,6})?)%"
              + "|rate<(?<rate>\\d{1,9}(?:\\.\\d{1,6})?)(?:/s)?");

  /** What a threshold is about. */
  private enum Figure {
    LATENCY,
    ERRORS,
    RATE
  }

  /**
   * One figure.
   *
   * @param percentile of a latency; 100 for the maximum
   * @param bound nanoseconds, percent or operations a second
   */
  private record Threshold(String text, Figure figure, double percentile, double bound) {
    /** Returns the figure if it fails; empty if not. */
    String failure(OperationResult all) {
      double value =
          switch (figure) {
            case LATENCY -> (double) all.latencies().getValueAtPercentile(percentile);
            case ERRORS -> all.arrivals() == 0 ? 0 : all.failed() * PERCENT / all.arrivals();
            case RATE -> all.donePerSecond();
          };
      boolean none = figure == Figure.LATENCY && all.latencies().getTotalCount() == 0;
      boolean fails = figure == Figure.RATE ? value < bound : value > bound;
      if (!none && !fails) {
        return "";
      }
      return text
          + ": "
          + switch (figure) {
            case LATENCY ->
                none
                    ? "no operation has succeeded"
                    : String.format(Locale.ROOT, "is %.3f ms", value / NANOS_PER_MILLI);
            case ERRORS -> String.format(Locale.ROOT, "are %.3f %%", value);
            case RATE -> String.format(Locale.ROOT, "is %.1f/s", value);
          };
    }
  }

  /** Returns the figures that fail, a line each. */
  List<String> failures(OperationResult all) {
    return this.all.stream()
        .map(threshold -> threshold.failure(all))
        .filter(failure -> !failure.isEmpty())
        .toList();
  }

  /** Parses the text of the command line. */
  static final class Converter implements ITypeConverter<Thresholds> {
    @Override
    public Thresholds convert(String text) {
      List<Threshold> all = new ArrayList<>();
      for (String one : text.split(",", -1)) {
        all.add(threshold(one.strip()));
      }
      return new Thresholds(all);
    }

    private static Threshold threshold(String text) {
      Matcher matcher = TEXT.matcher(text);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'" + text + "' is no threshold; give p99>50ms, max>1s, errors>0.1% or rate<900/s");
      }
      if (matcher.group("share") != null) {
        return new Threshold(text, Figure.ERRORS, 0, Double.parseDouble(matcher.group("share")));
      }
      if (matcher.group("rate") != null) {
        return new Threshold(text, Figure.RATE, 0, Double.parseDouble(matcher.group("rate")));
      }
      double nanos = new TimeConverter().convert(matcher.group("time")).toNanos();
      double percentile =
          matcher.group("max") == null ? Double.parseDouble(matcher.group("percentile")) : PERCENT;
      return new Threshold(text, Figure.LATENCY, percentile, nanos);
    }
  }
}
