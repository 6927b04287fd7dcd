package dev.ferry.lab.run;

import dev.ferry.lab.model.Choice;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.suite.RunPlan;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The profiles: the number of rounds and samples. */
public enum Profile {
  /** Forks with few samples, for a run that ends after a given time. */
  DEFAULT(new Settings(5, 20, 1_000, 10_000, 10), false),
  /** One round: a first look that takes about ten minutes for the default suite on two cores. */
  QUICK(new Settings(1, 10, 2_000, 8_000, 3), false),
  /** Three rounds: the minimum for a table to quote, in somewhat more than half an hour. */
  STANDARD(new Settings(3, 15, 3_000, 12_000, 5), false),
  /** Five rounds with more samples, to decide between close results. */
  FULL(new Settings(5, 25, 5_000, 20_000, 10), false),
  /** Checks that everything works. The figures have no meaning. */
  SMOKE(new Settings(1, 2, 0, 0, 1), true);

  /** The part of a run's time that is needed before its first fork and after its last one. */
  public static final Duration PREPARATION = Duration.ofSeconds(10);

  @SuppressWarnings("ImmutableEnumChecker") // The record contains only numbers.
  private final Settings settings;

  private final boolean hidden;

  Profile(Settings settings, boolean hidden) {
    this.settings = settings;
    this.hidden = hidden;
  }

  /** Returns the name in {@code --profile}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the settings of the profile. */
  public Settings settings() {
    return settings;
  }

  /** Returns the least time of a run, in whole minutes, in which rows may run for so long. */
  public static long minutes(Duration rows) {
    return rows.plus(PREPARATION).plusMinutes(1).minusNanos(1).toMinutes();
  }

  /** Returns the estimated duration of a plan over the loopback. */
  public Duration estimate(RunPlan plan, long fileBytes) {
    return estimate(plan, fileBytes, null);
  }

  /**
   * Returns the estimated duration of a plan with its ceilings on two cores, for all rounds
   * together.
   *
   * @param fileBytes the size of the run's file in bytes
   * @param network the network between the two ends; null for the loopback
   */
  public Duration estimate(RunPlan plan, long fileBytes, @Nullable Network network) {
    int rounds = settings.rounds();
    return Estimate.forks(
            plan, plan.forks(row -> false), settings, fileBytes, network, network != null)
        .stream()
        .map(
            fork ->
                fork.expected()
                    .multipliedBy(
                        fork.name() instanceof RowFork rows && rows.isCeiling()
                            ? Schedule.ceilingRounds(rounds)
                            : rounds))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /**
   * Returns the estimated time until each row that the question is about has the forks of a
   * verdict.
   *
   * @param shared whether rows may share a fork
   */
  public Duration leastEstimate(
      RunPlan plan, long fileBytes, @Nullable Network network, boolean shared) {
    RunPlan asked = plan.with(row -> plan.group(row).asks(row));
    return Estimate.forks(
            asked, asked.forks(row -> shared), settings, fileBytes, network, network != null)
        .stream()
        .filter(fork -> fork.name() instanceof RowFork rows && !rows.isCeiling())
        .map(fork -> fork.expected().multipliedBy(Criteria.LEAST_FORKS))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /**
   * Returns the profile with a label. The case is ignored.
   *
   * @throws LabException with the most similar label or a list of labels
   */
  public static Profile parse(String label) throws LabException {
    for (Profile profile : values()) {
      if (profile.label().equalsIgnoreCase(label)) {
        return profile;
      }
    }
    List<String> shown = Stream.of(values()).filter(p -> !p.hidden).map(Profile::label).toList();
    throw LabException.usage("unknown profile '" + label + "'; " + Choice.hint(shown, label));
  }
}
