package dev.ferry.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Searches for the highest rate at which a server keeps a limit. The rate is doubled until it does
 * not, and then the interval between the last two is halved, on a scale of ratios, until they
 * differ by a tenth. Every rate is tried once.
 */
public final class RateSearch {
  private static final double FIRST_RATE = 64;
  private static final double LEAST_RATE = 0.5;
  private static final double UP = 2;
  private static final double DOWN = 4;
  private static final double PRECISION = 1.1;

  /** Steps after the first one, which has the warm-up of the plan. */
  private static final double STEP_WARM_UP_SECONDS = 1;

  private RateSearch() {}

  /** Runs a load. */
  @FunctionalInterface
  public interface Runner {
    LoadReport run(Plan plan) throws IOException, InterruptedException;
  }

  /** Follows a search. */
  @FunctionalInterface
  public interface Listener {
    void tried(Step step);
  }

  /**
   * A rate that was tried.
   *
   * @param held whether it kept the limit
   * @param withinLimit which part of all arrivals has succeeded within the latency of the limit
   */
  public record Step(double rate, boolean held, double withinLimit, LoadReport report) {}

  /**
   * What was found.
   *
   * @param highest the highest rate that kept the limit; 0 if none did
   * @param most the rate that was not exceeded
   */
  public record Result(Limit limit, List<Step> steps, double highest, double most) {
    public Result {
      steps = steps.stream().sorted(Comparator.comparingDouble(Step::rate)).toList();
    }

    /** What a reader must know to judge the answer, a line each. */
    public List<String> notes() {
      if (highest >= most) {
        return List.of(
            String.format(
                Locale.ROOT,
                "%.1f/s is the highest rate that was to be tried (--rate); more may be held",
                most));
      }
      return steps.stream()
              .filter(step -> !step.held())
              .findFirst()
              .filter(step -> step.report().isBottleneck())
              .isPresent()
          ? List.of("the worker was the bottleneck at the next rate; the server may hold more")
          : List.of();
    }
  }

  /**
   * Searches.
   *
   * @param plan its rate is the highest that is tried, and its seconds are those of each step
   */
  public static Result run(Limit limit, Plan plan, Runner runner, Listener listener)
      throws IOException, InterruptedException {
    List<Step> steps = new ArrayList<>();
    double held = 0;
    double failed = Double.POSITIVE_INFINITY;
    double rate = Math.min(FIRST_RATE, plan.rate());
    while (rate >= Math.min(LEAST_RATE, plan.rate())) {
      double warmUp = steps.isEmpty() ? plan.warmUpSeconds() : STEP_WARM_UP_SECONDS;
      LoadReport report = runner.run(plan.at(rate, Math.min(warmUp, plan.warmUpSeconds())));
      OperationResult all = report.all();
      Step step = new Step(rate, limit.held(all), limit.within(all), report);
      steps.add(step);
      listener.tried(step);
      if (step.held()) {
        held = rate;
      } else {
        failed = rate;
      }
      if (held >= plan.rate() || failed <= held * PRECISION) {
        break;
      }
      rate = next(held, failed, plan.rate());
    }
    return new Result(limit, steps, held, plan.rate());
  }

  private static double next(double held, double failed, double most) {
    if (held == 0) {
      return failed / DOWN;
    }
    return Double.isInfinite(failed) ? Math.min(most, held * UP) : Math.sqrt(held * failed);
  }
}
