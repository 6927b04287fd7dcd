package dev.ferry.load;

import java.util.List;
import java.util.Locale;

/** What the workers of a load do together. Immutable. */
public sealed interface Workload permits Plan, Workload.OfEngine {
  /** How long the load is measured, above 0. */
  double seconds();

  /** Number of workers, from 1. */
  int workers();

  /** Names a worker in a sentence. */
  default String nameOf(int worker) {
    return String.format(Locale.ROOT, "worker %d of %d", worker, workers());
  }

  /**
   * A load that another engine makes by a plan of its own.
   *
   * @param engine its name, such as {@code jmeter}
   * @param seconds how long the load is measured, above 0
   * @param hosts where its workers run, in the order of their numbers
   */
  record OfEngine(String engine, double seconds, List<String> hosts) implements Workload {
    /**
     * @throws IllegalArgumentException if a value is out of its range; the message is one line that
     *     begins with its name
     */
    public OfEngine {
      hosts = List.copyOf(hosts);
      Plan.require("seconds", seconds, Plan.MIN_SECONDS, Plan.MAX_SECONDS);
      Plan.require("workers", hosts.size(), 1, Plan.MAX_WORKERS);
    }

    @Override
    public int workers() {
      return hosts.size();
    }

    @Override
    public String nameOf(int worker) {
      return Workload.super.nameOf(worker) + " (" + hosts.get(worker - 1) + ")";
    }
  }
}
