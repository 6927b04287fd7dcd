package dev.ferry.lab.run;

import dev.ferry.core.Names;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Plan;
import dev.ferry.lab.suite.Suite;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How much is measured. */
public enum Profile {
  /** One round: a first look, about eight minutes for the default suite on two cores. */
  QUICK(new Settings(1, 10, 2_000, 8_000, 3), false),
  /** Three rounds: what a table should be quoted from, a good half hour. */
  STANDARD(new Settings(3, 15, 3_000, 12_000, 5), false),
  /** Five rounds with more samples: to settle a close race. */
  FULL(new Settings(5, 25, 5_000, 20_000, 10), false),
  /** Just enough to see that everything works; its figures mean nothing. */
  SMOKE(new Settings(1, 2, 0, 0, 1), true);

  /** How long warm-ups take, averaged over the default suite. */
  private static final long TYPICAL_WARMUP_MILLIS = 6_000;

  /** What a fork costs before its first transfer: the JVM, JMH, servers. */
  private static final long FORK_MILLIS = 1_200;

  /** A transfer of the default file with its check, averaged over the default suite. */
  private static final long OPERATION_MILLIS = 150;

  /** A heavy load with its check, uncompressed. */
  private static final long BYTES_PER_MILLI = 700_000;

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
   * What a plan and its ceilings are expected to take with the default file on two cores, all
   * rounds together.
   */
  public Duration estimate(Plan plan) {
    Duration rows =
        plan.groups().stream()
            .flatMap(g -> g.rows().stream().map(r -> forkEstimate(g.suite(), r)))
            .reduce(Duration.ZERO, Duration::plus);
    Duration ceilings =
        plan.ceilingForks().stream()
            .map(f -> forkEstimate(f.load(), f.names().size()))
            .reduce(Duration.ZERO, Duration::plus);
    return rows.plus(ceilings).multipliedBy(settings.rounds());
  }

  private Duration forkEstimate(Suite suite, RowKey row) {
    Duration expected = suite.expected(row);
    Load load = suite.load(row);
    if (expected == null) {
      return forkEstimate(load, 1);
    }
    long sample = expected.toMillis() * (load == null ? 1 : load.operations());
    return forkEstimate(suite.settings(row, settings), sample)
        .plusMillis(RowBenchmark.WARMUP_ITERATIONS * sample);
  }

  private Duration forkEstimate(@Nullable Load load, int byTurns) {
    if (load == null) {
      // Several ceilings of the own file together take what a row does that compresses.
      return forkEstimate(settings, OPERATION_MILLIS);
    }
    // Of a heavy load even the first operations, which load classes, take their time.
    long operation = byTurns * load.bytes() / BYTES_PER_MILLI;
    return forkEstimate(load.of(settings), operation)
        .plusMillis(RowBenchmark.WARMUP_ITERATIONS * operation);
  }

  private static Duration forkEstimate(Settings settings, long operationMillis) {
    return Duration.ofMillis(
        FORK_MILLIS
            + Math.max(
                Math.min(TYPICAL_WARMUP_MILLIS, settings.maxWarmupMillis()),
                settings.warmupOperations() * operationMillis)
            + settings.samplesPerRound() * operationMillis);
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
