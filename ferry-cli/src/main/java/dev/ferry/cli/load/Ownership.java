package dev.ferry.cli.load;

import dev.ferry.core.ByteSize;
import dev.ferry.load.Plan;
import java.util.Locale;

/** What another machine is loaded with at most, unless the user says that it may be more. */
final class Ownership {
  /** The option that says so. */
  static final String OPTION = "--yes-i-own-it";

  /** Operations a second of all workers. */
  static final double MOST_RATE = 100;

  /** Bytes a second of all workers. */
  static final double MOST_BYTES = 10_000_000;

  private Ownership() {}

  /** Returns a plan whose rate is not above what is allowed. */
  static Plan bounded(Plan plan) {
    double perOperation = plan.bytesPerSecond() / plan.rate();
    double rate = Math.min(plan.rate(), MOST_RATE);
    return plan.at(
        perOperation * rate > MOST_BYTES ? MOST_BYTES / perOperation : rate, plan.warmUpSeconds());
  }

  /**
   * Says why a plan is too much for another machine; empty if it is not.
   *
   * @param server the name of the server
   */
  static String refusal(Plan plan, String server) {
    String remedy = "; give less, or add " + OPTION + " if it may be loaded like that";
    if (plan.rate() > MOST_RATE) {
      return String.format(
          Locale.ROOT,
          "--rate: %,.0f/s are more than the %,.0f/s that %s, another machine, is loaded with%s",
          plan.rate(),
          MOST_RATE,
          server,
          remedy);
    }
    // Rounding must not refuse what bounded() returned.
    if (plan.bytesPerSecond() > MOST_BYTES * 1.000001) {
      return String.format(
          Locale.ROOT,
          "--rate, --files: %s/s are more than the %s/s that %s, another machine, is loaded with%s",
          ByteSize.megabytes(plan.bytesPerSecond()),
          ByteSize.megabytes(MOST_BYTES),
          server,
          remedy);
    }
    return "";
  }
}
