package dev.ferry.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What all workers of a load do together. Immutable.
 *
 * @param rate operations a second of all workers together, above 0
 * @param seconds how long the load is measured, above 0
 * @param warmUpSeconds how long operations arrive before that at the same rate; they are not
 *     measured
 * @param spacing the distance of the arrivals
 * @param mix the operations
 * @param files the sizes of the files in bytes
 * @param seed decides the arrivals, their operations and the contents of the files
 * @param workers number of workers, from 1
 * @param startAt when all workers begin the warm-up; null means at once
 * @param inFlight how many operations of a worker run at a time, at most
 * @param connections the connections of a worker, which are used in turn
 */
public record Plan(
    double rate,
    double seconds,
    double warmUpSeconds,
    Spacing spacing,
    Shares<OperationName> mix,
    Shares<Long> files,
    long seed,
    int workers,
    @Nullable Instant startAt,
    int inFlight,
    int connections)
    implements Workload {
  /** The highest rate that a plan can have. */
  public static final double MAX_RATE = 10_000_000;

  /** The most workers that a plan can have. */
  public static final int MAX_WORKERS = 10_000;

  static final double MIN_SECONDS = 0.1;
  static final double MAX_SECONDS = 7 * 24 * 3600;
  private static final int MAX_IN_FLIGHT = 100_000;
  private static final int MAX_CONNECTIONS = 1_000;

  /** The distance of arrivals. */
  public enum Spacing {
    /** The same between all of them. */
    @JsonProperty("constant")
    CONSTANT,
    /** Exponentially distributed, as of many users who know nothing of each other. */
    @JsonProperty("poisson")
    POISSON
  }

  /**
   * @throws IllegalArgumentException if a value is out of its range; the message is one line that
   *     begins with its name
   */
  public Plan {
    require("rate", rate, Double.MIN_VALUE, MAX_RATE);
    require("seconds", seconds, MIN_SECONDS, MAX_SECONDS);
    require("warmUpSeconds", warmUpSeconds, 0, MAX_SECONDS);
    require("workers", workers, 1, MAX_WORKERS);
    require("inFlight", inFlight, 1, MAX_IN_FLIGHT);
    require("connections", connections, 1, MAX_CONNECTIONS);
  }

  static void require(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      String from =
          least == Double.MIN_VALUE ? "above 0 and up to " : "from " + text(least) + " to ";
      throw new IllegalArgumentException(
          name + ": " + text(value) + " is not " + from + text(most));
    }
  }

  private static String text(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  /** The bytes of files that all workers together move in a second, in the mean. */
  public double bytesPerSecond() {
    double moving = 0;
    for (int i = 0; i < mix.values().size(); i++) {
      moving += mix.values().get(i).movesBytes() ? mix.share(i) : 0;
    }
    double size = 0;
    for (int i = 0; i < files.values().size(); i++) {
      size += files.values().get(i) * files.share(i);
    }
    return rate * moving * size;
  }

  /** The operations a second of one worker. */
  public double workerRate() {
    return rate / workers;
  }

  /** Whether an operation needs files on the server. */
  public boolean onFiles() {
    return mix.values().stream().anyMatch(OperationName::onFiles);
  }

  /** Returns the same plan at another rate. */
  public Plan at(double newRate, double newWarmUpSeconds) {
    return new Plan(
        newRate,
        seconds,
        newWarmUpSeconds,
        spacing,
        mix,
        files,
        seed,
        workers,
        startAt,
        inFlight,
        connections);
  }
}
