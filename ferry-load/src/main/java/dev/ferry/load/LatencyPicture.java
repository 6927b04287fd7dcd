package dev.ferry.load;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** Draws the latency over the rate of a search as SVG, both on a scale of ratios. */
public final class LatencyPicture {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int LEFT = 80;
  private static final int RIGHT = 30;
  private static final int TOP = 40;
  private static final int BOTTOM = 60;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double P50 = 50;
  private static final double TEN = 10;

  private final StringBuilder svg = new StringBuilder();
  private final RateSearch.Result search;
  private final double leastRate;
  private final double mostRate;
  private final double leastMillis;
  private final double mostMillis;

  private LatencyPicture(RateSearch.Result search, List<RateSearch.Step> steps) {
    this.search = search;
    leastRate = steps.get(0).rate();
    mostRate = Math.max(leastRate * 2, steps.get(steps.size() - 1).rate());
    double limit = limitMillis();
    double low = limit;
    double high = limit;
    for (RateSearch.Step step : steps) {
      low = Math.min(low, Math.max(millis(step, P50), 1e-3));
      high = Math.max(high, millis(step, search.limit().percentile()));
    }
    leastMillis = Math.pow(TEN, Math.floor(Math.log10(low)));
    mostMillis = Math.pow(TEN, Math.ceil(Math.log10(high)));
  }

  /** Draws a search. Rates at which nothing succeeded are left out. */
  public static String of(RateSearch.Result search) {
    List<RateSearch.Step> steps =
        search.steps().stream()
            .filter(step -> step.report().all().latencies().getTotalCount() > 0)
            .toList();
    return steps.isEmpty()
        ? "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"
        : new LatencyPicture(search, steps).draw(steps);
  }

  private String draw(List<RateSearch.Step> steps) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
            + " font-size=\"13\">%n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    for (double millis = leastMillis; millis <= mostMillis * 1.001; millis *= TEN) {
      line(LEFT, y(millis), WIDTH - RIGHT, y(millis), "#ddd", "");
      text(LEFT - 8, y(millis) + 4, "end", "#444", "%s ms".formatted(number(millis)));
    }
    for (double rate = leastRate; rate <= mostRate * 1.001; rate *= 2) {
      line(x(rate), TOP, x(rate), HEIGHT - BOTTOM, "#eee", "");
      text(x(rate), HEIGHT - BOTTOM + 18, "middle", "#444", number(rate));
    }
    text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16, "middle", "#444", "operations a second");
    line(
        LEFT,
        y(limitMillis()),
        WIDTH - RIGHT,
        y(limitMillis()),
        "#c33",
        " stroke-dasharray=\"6 4\"");
    text(LEFT + 6, y(limitMillis()) - 6, "start", "#c33", search.limit().toString());
    double percentile = search.limit().percentile();
    curve(steps, step -> millis(step, percentile), "#1668a8");
    curve(steps, step -> millis(step, P50), "#7fb2d9");
    text(LEFT, TOP - 16, "start", "#1668a8", "p" + number(percentile));
    text(LEFT + 60, TOP - 16, "start", "#7fb2d9", "p50");
    if (search.highest() > 0) {
      text(
          WIDTH - RIGHT,
          TOP - 16,
          "end",
          "#222",
          "highest rate that holds: %s/s".formatted(number(search.highest())));
    }
    return svg.append("</svg>\n").toString();
  }

  private void curve(
      List<RateSearch.Step> steps, ToDoubleFunction<RateSearch.Step> millis, String colour) {
    StringBuilder points = new StringBuilder();
    for (RateSearch.Step step : steps) {
      double x = x(step.rate());
      double y = y(millis.applyAsDouble(step));
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      add(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" stroke=\"%s\" fill=\"%s\"/>%n",
          x, y, colour, step.held() ? colour : "white");
    }
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
        points.toString().strip(), colour);
  }

  private double limitMillis() {
    return search.limit().nanos() / NANOS_PER_MILLI;
  }

  private static double millis(RateSearch.Step step, double percentile) {
    Histogram latencies = step.report().all().latencies();
    return latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
  }

  private double x(double rate) {
    double part = Math.log(rate / leastRate) / Math.log(mostRate / leastRate);
    return LEFT + part * (WIDTH - LEFT - RIGHT);
  }

  private double y(double millis) {
    double part = Math.log(Math.max(millis, leastMillis) / leastMillis);
    return HEIGHT - BOTTOM - part / Math.log(mostMillis / leastMillis) * (HEIGHT - TOP - BOTTOM);
  }

  private void line(double x1, double y1, double x2, double y2, String colour, String more) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>%n",
        x1, y1, x2, y2, colour, more);
  }

  private void text(double x, double y, String anchor, String colour, String text) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
        x, y, anchor, colour, text);
  }

  private static String number(double value) {
    return value >= TEN || value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value).replaceFirst("\\.?0+$", "");
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }
}
