package dev.ferry.bench;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.RunPlan;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How much a run may move to and from a server of which nobody said that it may be loaded. */
final class LoadLimit {
  /** Bytes of a run. */
  static final long BYTES = 100_000_000;

  /** Over which the limit is spread if the run has no other time. */
  private static final Duration USUAL_TIME = Duration.ofMinutes(8);

  private final String option;
  private final String address;
  private final boolean owned;

  /** Whether one of the hosts, before and after redirects, is another machine of somebody. */
  private boolean limited;

  /**
   * Creates the limit of an address; there is none before {@link #add} is called.
   *
   * @param option the option with the address
   * @param address the address as it is shown
   * @param owned whether the user said that its server may be loaded
   */
  LoadLimit(String option, String address, boolean owned) {
    this.option = option;
    this.address = address;
    this.owned = owned;
  }

  /** Adds a host that the run loads. */
  void add(String host) throws UnknownHostException {
    limited |= !owned && !InetAddress.getByName(host).isLoopbackAddress();
  }

  /**
   * Returns the mean rate that rows keep to; 0 for no limit.
   *
   * @param time how long the rows may run; null for all rounds of the profile
   */
  long bytesPerSecond(@Nullable Duration time) {
    return limited ? BYTES / (time == null ? USUAL_TIME : time).toSeconds() : 0;
  }

  /** Returns how many bytes a run may move. */
  long most() {
    return limited ? BYTES : Long.MAX_VALUE;
  }

  /** Requires that so many bytes, of which there may be more, are within the limit. */
  void requireAllowed(long bytes) throws LabException {
    if (bytes > most()) {
      throw tooMuch("has more than %,d bytes".formatted(BYTES), "with less");
    }
  }

  /**
   * Checks how much a run moves.
   *
   * @param profile the settings of the profile, with the rounds that are made in any case
   * @param bytes of an operation
   * @throws LabException if it is more than is allowed
   */
  void requireAllowed(RunPlan plan, Settings profile, long bytes) throws LabException {
    long operations =
        plan.specs()
            .map(row -> row.work().settings().apply(profile))
            .mapToLong(row -> row.rounds() * (row.maxWarmupOperations() + row.samplesPerRound()))
            .sum();
    long most = BYTES / operations;
    if (limited && bytes > most) {
      throw tooMuch(
          "would be downloaded %d times, %,d bytes together"
              .formatted(operations, bytes * operations),
          "of at most %,d bytes".formatted(most));
    }
  }

  private LabException tooMuch(String what, String remedy) {
    return LabException.usage(
        ("%s: %s %s; give one %s, or --yes-i-own-it if its server may be loaded with more than"
                + " %,d bytes")
            .formatted(option, address, what, remedy, BYTES));
  }
}
