package dev.ferry.load;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The intended starts of a worker's operations, in order. They depend on the plan and its seed
 * alone. Every worker makes the arrivals of the whole load, and takes every n-th of them if there
 * are n workers. So the workers together start exactly what one worker alone would start. Used by
 * one thread.
 */
final class Arrivals implements Iterator<Arrival> {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Constants of the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable PRNGs, 2014). */
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
  private static final long MIX_2 = 0x94D049BB133111EBL;
  private static final double UNIT = 0x1.0p-53;

  /** How many random numbers there are for each arrival. */
  private static final int NUMBERS = 3;

  private final Plan plan;
  private final int worker;
  private final double endNanos;
  private final long warmUpNanos;
  private long index;
  private double atNanos;
  private @Nullable Arrival next;

  /**
   * @param worker from 1 to the number of workers
   */
  Arrivals(Plan plan, int worker) {
    this.plan = plan;
    this.worker = worker;
    this.endNanos = (plan.warmUpSeconds() + plan.seconds()) * NANOS_PER_SECOND;
    this.warmUpNanos = Math.round(plan.warmUpSeconds() * NANOS_PER_SECOND);
    this.atNanos = plan.spacing() == Plan.Spacing.POISSON ? gapNanos(0) : 0;
    advance();
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public Arrival next() {
    Arrival arrival = next;
    if (arrival == null) {
      throw new NoSuchElementException("the load has ended");
    }
    advance();
    return arrival;
  }

  private void advance() {
    next = null;
    while (next == null && atNanos < endNanos) {
      if (index % plan.workers() == worker - 1) {
        long nanos = (long) atNanos;
        int operation = plan.mix().choose(uniform(index, 0));
        int file = plan.files().choose(uniform(index, 1));
        next = new Arrival(index, nanos, operation, file, nanos >= warmUpNanos);
      }
      index++;
      atNanos =
          plan.spacing() == Plan.Spacing.POISSON
              ? atNanos + gapNanos(index)
              // Multiplied, so that errors of rounding do not add up.
              : index * NANOS_PER_SECOND / plan.rate();
    }
  }

  private double gapNanos(long of) {
    return -Math.log1p(-uniform(of, 2)) * NANOS_PER_SECOND / plan.rate();
  }

  /** A random number from 0, below 1, which depends on the seed and its place alone. */
  private double uniform(long of, int number) {
    long z = plan.seed() + GAMMA * (of * NUMBERS + number + 1);
    z = (z ^ (z >>> 30)) * MIX_1;
    z = (z ^ (z >>> 27)) * MIX_2;
    return ((z ^ (z >>> 31)) >>> 11) * UNIT;
  }
}
