package dev.ferry.lab.run;

import dev.ferry.core.internal.Names;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Plan;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;

/** How much is measured. */
public enum Profile {
  /** One round: a first look, about ten minutes for the default suite on two cores. */
  QUICK(new Settings(1, 10, 2_000, 8_000, 3), false),
  /** Three rounds: what a table should be quoted from, a good half hour. */
  STANDARD(new Settings(3, 15, 3_000, 12_000, 5), false),
  /** Five rounds with more samples: to settle a close race. */
  FULL(new Settings(5, 25, 5_000, 20_000, 10), false),
  /** Just enough to see that everything works; its figures mean nothing. */
  SMOKE(new Settings(1, 2, 0, 0, 1), true);

  @SuppressWarnings("ImmutableEnumChecker") // A record of numbers.
  private final Settings settings;

  private final boolean hidden;

  Profile(Settings settings, boolean hidden) {
    this.settings = settings;
    this.hidden = hidden;
  }

  /** As in {@code --profile}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it means. */
  public Settings settings() {
    return settings;
  }

  /**
   * What a plan and its ceilings are expected to take on two cores, all rounds together.
   *
   * @param fileBytes size of the run's own file
   */
  public Duration estimate(Plan plan, long fileBytes) {
    return Estimate.forks(plan, settings, fileBytes).stream()
        .map(ForkEstimate::expected)
        .reduce(Duration.ZERO, Duration::plus)
        .multipliedBy(settings.rounds());
  }

  /**
   * The profile of a label in any case.
   *
   * @throws LabException with the nearest of them or a list
   */
  public static Profile parse(String label) throws LabException {
    for (Profile profile : values()) {
      if (profile.label().equalsIgnoreCase(label)) {
        return profile;
      }
    }
    Names shown = Names.of(Stream.of(values()).filter(p -> !p.hidden).map(Profile::label).toList());
    throw LabException.usage("unknown profile '" + label + "'; " + shown.hint(label));
  }
}
