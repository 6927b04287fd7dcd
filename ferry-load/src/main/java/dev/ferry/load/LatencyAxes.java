package dev.ferry.load;

import java.util.Locale;

/** A picture as SVG with latencies on a scale of ratios. Whoever draws chooses the other axis. */
final class LatencyAxes {
  static final int WIDTH = 720;
  static final int HEIGHT = 420;
  static final int LEFT = 80;
  static final int RIGHT = 30;
  static final int TOP = 40;
  static final int BOTTOM = 60;
  private static final double TEN = 10;

  private final StringBuilder svg = new StringBuilder();
  private final double leastMillis;
  private final double mostMillis;

  /** Draws the lines of the latencies, from a power of ten to another one. */
  LatencyAxes(double low, double high) {
    leastMillis = Math.pow(TEN, Math.floor(Math.log10(Math.max(low, 1e-3))));
    mostMillis = Math.max(leastMillis * TEN, Math.pow(TEN, Math.ceil(Math.log10(high))));
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
            + " font-size=\"13\">%n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    for (double millis = leastMillis; millis <= mostMillis * 1.001; millis *= TEN) {
      line(LEFT, y(millis), WIDTH - RIGHT, y(millis), "#ddd", "");
      text(LEFT - 8, y(millis) + 4, "end", "#444", "%s ms".formatted(number(millis)));
    }
  }

  /** Draws a value of the other axis, and its line. */
  void tick(double x, String text) {
    line(x, TOP, x, HEIGHT - BOTTOM, "#eee", "");
    text(x, HEIGHT - BOTTOM + 18, "middle", "#444", text);
  }

  /** Names the other axis. */
  void name(String axis) {
    text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16, "middle", "#444", axis);
  }

  /** The place of a part of the other axis, from 0 to 1. */
  static double x(double part) {
    return LEFT + part * (WIDTH - LEFT - RIGHT);
  }

  double y(double millis) {
    double part = Math.log(Math.max(millis, leastMillis) / leastMillis);
    return HEIGHT - BOTTOM - part / Math.log(mostMillis / leastMillis) * (HEIGHT - TOP - BOTTOM);
  }

  void circle(double x, double y, String stroke, String fill) {
    add(
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" stroke=\"%s\" fill=\"%s\"/>%n",
        x, y, stroke, fill);
  }

  /**
   * Draws a curve.
   *
   * @param points pairs of coordinates, as {@link #point} makes them
   */
  void curve(String points, String colour) {
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
        points.strip(), colour);
  }

  static String point(double x, double y) {
    return String.format(Locale.ROOT, "%.1f,%.1f ", x, y);
  }

  void line(double x1, double y1, double x2, double y2, String colour, String more) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>%n",
        x1, y1, x2, y2, colour, more);
  }

  void text(double x, double y, String anchor, String colour, String text) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
        x, y, anchor, colour, text);
  }

  static String number(double value) {
    return value >= TEN || value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value).replaceFirst("\\.?0+$", "");
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }

  /** Ends the picture. */
  String svg() {
    return svg.append("</svg>\n").toString();
  }
}
