package dev.ferry.lab.run;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is left of a run, learned from the forks that have run. A fork that ran in an earlier round
 * is expected to take what it took then. Of others the guess is corrected by how far guesses of its
 * kind were off, or those of all kinds while none of its own has run. Used by one thread.
 */
final class Forecast {
  /** How many forks it takes until what was measured counts as much as what was guessed. */
  private static final int TRUST_IN_GUESSES = 3;

  private final Clock clock;
  private final double typicalMillis;
  private final Map<Object, ForkEstimate> forks = new LinkedHashMap<>();
  private final Map<Object, Integer> roundsLeft = new HashMap<>();
  private final Map<Object, Seen> ofForks = new HashMap<>();
  private final Map<Object, Seen> ofKinds = new HashMap<>();
  private final Seen ofAll = new Seen();
  private long startMillis;

  /**
   * Knows guesses alone at first.
   *
   * @param round the forks of each round
   */
  Forecast(List<ForkEstimate> round, int rounds, Clock clock) {
    this.clock = clock;
    for (ForkEstimate fork : round) {
      forks.put(fork.name(), fork);
      roundsLeft.put(fork.name(), rounds);
    }
    typicalMillis = round.stream().mapToLong(p -> p.expected().toMillis()).average().orElse(0);
  }

  /** Sums of some forks, in milliseconds. */
  private static final class Seen {
    private double expected;
    private double measured;
    private int forks;

    void add(double expectedMillis, double measuredMillis) {
      expected += expectedMillis;
      measured += measuredMillis;
      forks++;
    }

    /** How far guesses were off, believed the less the fewer they are. */
    double factor(double before, double weightMillis) {
      double weight = expected + weightMillis;
      return weight == 0 ? before : (measured + before * weightMillis) / weight;
    }
  }

  /** A fork begins. */
  void begin() {
    startMillis = clock.millis();
  }

  /** The fork that began has measured what it should. */
  void end(Object name) {
    ForkEstimate fork = fork(name);
    double measured = clock.millis() - startMillis;
    double expected = fork.expected().toMillis();
    ofForks.computeIfAbsent(name, n -> new Seen()).add(expected, measured);
    ofKinds.computeIfAbsent(fork.kind(), k -> new Seen()).add(expected, measured);
    ofAll.add(expected, measured);
    roundsLeft.merge(name, -1, Integer::sum);
  }

  /** A fork does not run, or not again. */
  void drop(Object name) {
    roundsLeft.put(fork(name).name(), 0);
  }

  /** The time until the end; a fork that has begun counts whole. */
  Duration left() {
    double millis = 0;
    for (ForkEstimate fork : forks.values()) {
      millis += roundsLeft.getOrDefault(fork.name(), 0) * expected(fork);
    }
    return Duration.ofMillis(Math.round(millis));
  }

  private double expected(ForkEstimate fork) {
    Seen own = ofForks.get(fork.name());
    if (own != null) {
      return own.measured / own.forks;
    }
    double all = ofAll.factor(1, TRUST_IN_GUESSES * typicalMillis);
    Seen kind = ofKinds.get(fork.kind());
    double factor = kind == null ? all : kind.factor(all, typicalMillis);
    return fork.expected().toMillis() * factor;
  }

  private ForkEstimate fork(Object name) {
    ForkEstimate fork = forks.get(name);
    if (fork == null) {
      throw new IllegalArgumentException("the run has no " + name);
    }
    return fork;
  }
}
