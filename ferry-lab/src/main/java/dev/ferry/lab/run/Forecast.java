package dev.ferry.lab.run;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Predicts the remaining time of a run from completed forks. A fork that ran in an earlier round is
 * expected to take its average time again. For other forks the estimate is multiplied by the
 * average error of the estimates of the same kind. As long as no fork of that kind has run, the
 * average error of all kinds is used. Used by one thread.
 */
final class Forecast {
  /** The number of forks after which measurements have the same weight as estimates. */
  private static final int TRUST_IN_GUESSES = 3;

  private final Clock clock;
  private final double typicalMillis;
  private final Map<Object, Estimate.ForkEstimate> forks = new LinkedHashMap<>();
  private final Map<Object, Integer> roundsLeft = new HashMap<>();
  private final Map<Object, Seen> ofForks = new HashMap<>();
  private final Map<Object, Seen> ofKinds = new HashMap<>();
  private final Seen ofAll = new Seen();
  private long startMillis;

  /**
   * Creates a forecast that is based only on estimates.
   *
   * @param round the forks of each round
   */
  Forecast(List<Estimate.ForkEstimate> round, int rounds, Clock clock) {
    this.clock = clock;
    for (Estimate.ForkEstimate fork : round) {
      forks.put(fork.name(), fork);
      roundsLeft.put(fork.name(), rounds);
    }
    typicalMillis = round.stream().mapToLong(p -> p.expected().toMillis()).average().orElse(0);
  }

  /** The sums of several forks in milliseconds. */
  private static final class Seen {
    private double expected;
    private double measured;
    private int forks;

    void add(double expectedMillis, double measuredMillis) {
      expected += expectedMillis;
      measured += measuredMillis;
      forks++;
    }

    /**
     * Returns the average error factor of the estimates. The fewer forks were measured, the closer
     * it is to the prior factor.
     */
    double factor(double before, double weightMillis) {
      double weight = expected + weightMillis;
      return weight == 0 ? before : (measured + before * weightMillis) / weight;
    }
  }

  /** Records that a fork runs in fewer rounds than the others. */
  void limit(Object name, int rounds) {
    roundsLeft.put(fork(name).name(), rounds);
  }

  /** Records that a fork starts. */
  void begin() {
    startMillis = clock.millis();
  }

  /** Records that the started fork has succeeded. */
  void end(Object name) {
    Estimate.ForkEstimate fork = fork(name);
    double measured = clock.millis() - startMillis;
    double expected = fork.expected().toMillis();
    ofForks.computeIfAbsent(name, n -> new Seen()).add(expected, measured);
    ofKinds.computeIfAbsent(fork.kind(), k -> new Seen()).add(expected, measured);
    ofAll.add(expected, measured);
    roundsLeft.merge(name, -1, Integer::sum);
  }

  /** Records that a fork was run by an earlier start of the run. */
  void takeOver(Object name) {
    roundsLeft.merge(fork(name).name(), -1, Integer::sum);
  }

  /** Records that a fork does not run or does not run again. */
  void drop(Object name) {
    roundsLeft.put(fork(name).name(), 0);
  }

  /** Returns the remaining time. A running fork counts completely. */
  Duration left() {
    double millis = 0;
    for (Estimate.ForkEstimate fork : forks.values()) {
      millis += roundsLeft.getOrDefault(fork.name(), 0) * expected(fork);
    }
    return Duration.ofMillis(Math.round(millis));
  }

  /** Returns the expected duration of one more fork. */
  Duration expected(Object name) {
    return Duration.ofMillis(Math.round(expected(fork(name))));
  }

  private double expected(Estimate.ForkEstimate fork) {
    Seen own = ofForks.get(fork.name());
    if (own != null) {
      return own.measured / own.forks;
    }
    double all = ofAll.factor(1, TRUST_IN_GUESSES * typicalMillis);
    Seen kind = ofKinds.get(fork.kind());
    double factor = kind == null ? all : kind.factor(all, typicalMillis);
    return fork.expected().toMillis() * factor;
  }

  private Estimate.ForkEstimate fork(Object name) {
    Estimate.ForkEstimate fork = forks.get(name);
    if (fork == null) {
      throw new IllegalArgumentException("the run has no " + name);
    }
    return fork;
  }
}
