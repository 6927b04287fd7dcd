package dev.ferry.cli;

/** Time since it was started, in seconds. */
record Stopwatch(long startNanos) {
  static Stopwatch start() {
    return new Stopwatch(System.nanoTime());
  }

  double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
