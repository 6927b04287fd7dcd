package dev.ferry.load;

/**
 * How far the clock of the server is ahead of that of a worker (Cristian's algorithm). Workers of
 * one server are compared by it.
 *
 * @param millis what to add to a time of the worker; negative if the worker is ahead
 * @param uncertaintyMillis how far this may be off
 */
public record ClockOffset(double millis, double uncertaintyMillis) {
  /** The clock of files advances in ticks of the kernel, of 10 ms at most. */
  private static final double TICK_MILLIS = 10;

  /**
   * @param before clock of the worker before the request, in milliseconds
   * @param after the same after the response
   * @param server clock of the server when it answered
   */
  static ClockOffset of(double before, double after, double server) {
    return new ClockOffset(
        server - (before + after) / 2, Math.max(0, after - before) / 2 + TICK_MILLIS);
  }
}
