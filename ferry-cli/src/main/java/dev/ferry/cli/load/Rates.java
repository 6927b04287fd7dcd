package dev.ferry.cli.load;

import java.util.stream.DoubleStream;

/** The rate of a load, or the first and the last one of its stages, in operations a second. */
record Rates(double first, double last) {
  private static final int STAGES = 5;

  /** Returns the rates of the stages, with the same ratio between them; a single rate is one. */
  double[] stages() {
    if (first == last) {
      return new double[] {last};
    }
    double ratio = Math.pow(last / first, 1.0 / (STAGES - 1));
    return DoubleStream.iterate(first, rate -> rate * ratio).limit(STAGES).toArray();
  }
}
