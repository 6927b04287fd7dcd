package dev.ferry.cli.load;

import dev.ferry.cli.program.TimeConverter;
import dev.ferry.core.ByteSize;
import dev.ferry.load.Limit;
import dev.ferry.load.OperationName;
import dev.ferry.load.Plan;
import dev.ferry.load.PlanJson;
import dev.ferry.load.Shares;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that make a plan. */
final class PlanFlags {
  /** The options whose values are in a plan. */
  private static final List<String> IN_PLAN =
      List.of(
          "--rate",
          "--for",
          "--warm-up",
          "--mix",
          "--files",
          "--spacing",
          "--seed",
          "--in-flight",
          "--connections",
          "--workers",
          "--start-at");

  /** The options of the numbers that {@link Plan} checks. */
  private static final Map<String, String> OPTIONS =
      Map.of(
          "rate", "--rate",
          "seconds", "--for",
          "warmUpSeconds", "--warm-up",
          "workers", "--workers",
          "inFlight", "--in-flight",
          "connections", "--connections");

  private static final double MILLIS = 1e3;
  private static final double RUN_SECONDS = 10;
  private static final double STEP_SECONDS = 5;

  /** The highest rate of a search by default. */
  private static final double MOST_RATE = 100_000;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      converter = RateConverter.class,
      description =
          "Operations a second of all workers together, such as 2000/s. 100/s..2000/s is five stages"
              + " with rates from the first to the second, each for the time of --for. With --find,"
              + " the highest rate that is tried.")
  private @Nullable Rates rate;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = "How long to measure (default: 10s); with --find, each rate (default: 5s).")
  private @Nullable Duration length;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = TimeConverter.class,
      description =
          "How long operations arrive before that at the same rate, unmeasured (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration warmUp;

  @Option(
      names = "--mix",
      paramLabel = "MIX",
      defaultValue = "get",
      description =
          "The operations with their shares, such as get:90,put:10 (default: ${DEFAULT-VALUE})."
              + " There is: get, put, stat, list, and call, a small call of grpc that touches no"
              + " file.")
  private String mix;

  @Option(
      names = "--files",
      paramLabel = "SIZES",
      defaultValue = "64K",
      description =
          "The sizes of the files with their shares, such as 4K:50,1M:50 (default:"
              + " ${DEFAULT-VALUE}).")
  private String files;

  @Option(
      names = "--spacing",
      paramLabel = "SPACING",
      defaultValue = "constant",
      description =
          "The distance of arrivals: constant, or poisson, as of many users (default:"
              + " ${DEFAULT-VALUE}).")
  private Plan.Spacing spacing;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Decides the order of operations and the contents of files (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "100",
      description =
          "How many operations of a worker run at a time, at most (default: ${DEFAULT-VALUE})."
              + " Others wait, which is in their latency. A server takes 100 calls on a connection"
              + " of grpc.")
  private int inFlight;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "The clients of a worker, used in turn; one of grpc has one connection (default:"
              + " ${DEFAULT-VALUE}).")
  private int connections;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many workers share the rate (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--start-at",
      paramLabel = "INSTANT",
      description = "When all workers begin, such as 2026-11-25T18:00:00Z (default: at once).")
  private @Nullable String startAt;

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description =
          "Read all options above from a file that every worker has; a plan.json of a run is one.")
  private @Nullable Path file;

  /**
   * Makes the plan.
   *
   * @param find whether the highest rate is searched; null if not
   * @param free whether the server may be loaded without a bound
   */
  Plan plan(@Nullable Limit find, boolean free) {
    if (file != null) {
      return read(file);
    }
    Shares<OperationName> operations = shares("--mix", mix, OperationName::parse);
    Shares<Long> sizes = shares("--files", files, ByteSize::parse);
    if (rate == null && find == null) {
      throw wrongUse("--rate: is missing; give operations a second, such as --rate 100/s", null);
    }
    double most = free ? MOST_RATE : Ownership.MOST_RATE;
    try {
      Plan plan =
          new Plan(
              rate == null ? most : rate.last(),
              length == null
                  ? (find == null ? RUN_SECONDS : STEP_SECONDS)
                  : length.toMillis() / MILLIS,
              warmUp.toMillis() / MILLIS,
              spacing,
              operations,
              sizes,
              seed,
              workers,
              startAt == null ? null : PlanJson.instant(startAt),
              inFlight,
              connections);
      return rate == null && !free ? Ownership.bounded(plan) : plan;
    } catch (IllegalArgumentException e) {
      throw wrongUse(byOption(String.valueOf(e.getMessage())), e);
    }
  }

  /** The rates of the stages, of which a load at one rate has one; none if --rate is not given. */
  double[] stages() {
    return rate == null ? new double[0] : rate.stages();
  }

  private static String byOption(String message) {
    String name = message.substring(0, Math.max(0, message.indexOf(':')));
    return OPTIONS.containsKey(name)
        ? OPTIONS.get(name) + message.substring(name.length())
        : "--start-at: " + message;
  }

  private <T> Shares<T> shares(String option, String text, Function<String, T> parser) {
    try {
      return Shares.parse(text, parser);
    } catch (IllegalArgumentException e) {
      throw wrongUse(option + ": " + e.getMessage(), e);
    }
  }

  private Plan read(Path plan) {
    for (String option : IN_PLAN) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw wrongUse(option + ": is in the plan; leave out one of both", null);
      }
    }
    Shares<OperationName> get = Shares.parse("get", OperationName::parse);
    Plan defaults =
        new Plan(
            Double.MIN_VALUE,
            RUN_SECONDS,
            warmUp.toMillis() / MILLIS,
            Plan.Spacing.CONSTANT,
            get,
            Shares.parse(files, ByteSize::parse),
            seed,
            workers,
            null,
            inFlight,
            connections);
    try {
      Plan read = PlanJson.parse(Files.readString(plan), defaults);
      if (read.rate() == Double.MIN_VALUE) {
        throw new IllegalArgumentException("has no rate; give operations a second");
      }
      return read;
    } catch (IllegalArgumentException e) {
      throw wrongUse("--plan: " + plan + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw wrongUse("--plan: " + plan + ": cannot be read; check the path", e);
    }
  }

  private ParameterException wrongUse(String message, @Nullable Exception cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }
}
