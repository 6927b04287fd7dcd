package dev.ferry.load;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * Draws latencies as SVG: over the rate of a search, on a scale of ratios, or over the time of a
 * run.
 */
public final class LatencyPicture {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double P50 = 50;
  private static final String DARK = "#1668a8";
  private static final String LIGHT = "#7fb2d9";
  private static final String EMPTY = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n";
  private static final int TIMES = 6;

  private LatencyPicture() {}

  /** Draws a search. Rates at which nothing succeeded are left out. */
  public static String of(RateSearch.Result search) {
    List<RateSearch.Step> steps =
        search.steps().stream()
            .filter(step -> step.report().all().latencies().getTotalCount() > 0)
            .toList();
    return steps.isEmpty() ? EMPTY : draw(search, steps);
  }

  private static String draw(RateSearch.Result search, List<RateSearch.Step> steps) {
    double limit = search.limit().nanos() / NANOS_PER_MILLI;
    double percentile = search.limit().percentile();
    double low = limit;
    double high = limit;
    for (RateSearch.Step step : steps) {
      low = Math.min(low, millis(step, P50));
      high = Math.max(high, millis(step, percentile));
    }
    LatencyAxes axes = new LatencyAxes(low, high);
    double leastRate = steps.get(0).rate();
    double mostRate = Math.max(leastRate * 2, steps.get(steps.size() - 1).rate());
    DoubleUnaryOperator x =
        rate -> LatencyAxes.x(Math.log(rate / leastRate) / Math.log(mostRate / leastRate));
    for (double rate = leastRate; rate <= mostRate * 1.001; rate *= 2) {
      axes.tick(x.applyAsDouble(rate), LatencyAxes.number(rate));
    }
    axes.name("operations a second");
    double right = LatencyAxes.WIDTH - LatencyAxes.RIGHT;
    axes.line(
        LatencyAxes.LEFT, axes.y(limit), right, axes.y(limit), "#c33", " stroke-dasharray=\"6 4\"");
    axes.text(LatencyAxes.LEFT + 6, axes.y(limit) - 6, "start", "#c33", search.limit().toString());
    for (double of : List.of(percentile, P50)) {
      String colour = of == percentile ? DARK : LIGHT;
      StringBuilder points = new StringBuilder();
      for (RateSearch.Step step : steps) {
        double at = x.applyAsDouble(step.rate());
        double y = axes.y(millis(step, of));
        points.append(LatencyAxes.point(at, y));
        axes.circle(at, y, colour, step.held() ? colour : "white");
      }
      axes.curve(points.toString(), colour);
    }
    legend(axes, LatencyAxes.number(percentile));
    if (search.highest() > 0) {
      axes.text(
          right,
          LatencyAxes.TOP - 16,
          "end",
          "#222",
          "highest rate that holds: %s/s".formatted(LatencyAxes.number(search.highest())));
    }
    return axes.svg();
  }

  /** Draws a run. Seconds in which nothing succeeded are left out. */
  public static String of(List<WorkerFolder.Second> seconds) {
    List<WorkerFolder.Second> drawn =
        seconds.stream().filter(second -> second.succeeded() > 0).toList();
    if (drawn.isEmpty()) {
      return EMPTY;
    }
    LatencyAxes axes =
        new LatencyAxes(
            drawn.stream().mapToDouble(WorkerFolder.Second::p50Millis).min().orElseThrow(),
            drawn.stream().mapToDouble(WorkerFolder.Second::p99Millis).max().orElseThrow());
    double end = drawn.get(drawn.size() - 1).to();
    long step = Math.max(1, Math.round(end / TIMES));
    for (long at = 0; at <= end; at += step) {
      axes.tick(LatencyAxes.x(at / end), at + " s");
    }
    axes.name("time since the beginning");
    StringBuilder high = new StringBuilder();
    StringBuilder middle = new StringBuilder();
    for (WorkerFolder.Second second : drawn) {
      double x = LatencyAxes.x((second.from() + second.to()) / 2 / end);
      high.append(LatencyAxes.point(x, axes.y(second.p99Millis())));
      middle.append(LatencyAxes.point(x, axes.y(second.p50Millis())));
      axes.circle(x, axes.y(second.p99Millis()), DARK, DARK);
    }
    axes.curve(high.toString(), DARK);
    axes.curve(middle.toString(), LIGHT);
    legend(axes, "99");
    return axes.svg();
  }

  private static void legend(LatencyAxes axes, String percentile) {
    axes.text(LatencyAxes.LEFT, LatencyAxes.TOP - 16, "start", DARK, "p" + percentile);
    axes.text(LatencyAxes.LEFT + 60, LatencyAxes.TOP - 16, "start", LIGHT, "p50");
  }

  private static double millis(RateSearch.Step step, double percentile) {
    Histogram latencies = step.report().all().latencies();
    return latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }
}
