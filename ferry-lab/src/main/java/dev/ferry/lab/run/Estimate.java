package dev.ferry.lab.run;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RunPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the duration of the forks of a plan on two cores before any has run.
 *
 * <p>The constants are from complete runs of the default suite: 9.5 minutes for the 50 forks of a
 * quick run, and 56 minutes for the 264 forks of a standard run with rivals.
 */
record Estimate(Settings settings, long fileBytes, @Nullable Network network) {
  /** The average duration of a warm-up in the default suite. */
  private static final long TYPICAL_WARMUP_MILLIS = 6_000;

  /**
   * The fixed time of a fork before its first and after its last transfer, for the JVM and servers.
   */
  private static final long FORK_MILLIS = 2_000;

  /** An uncompressed transfer of the default file with its check. */
  private static final long PLAIN_MILLIS = 90;

  /**
   * A compressed transfer of the default file. Several ceilings of the default file together take
   * the same time.
   */
  private static final long COMPRESSED_MILLIS = 355;

  /** The throughput of an uncompressed load with its check, in bytes per millisecond. */
  private static final long BYTES_PER_MILLI = 700_000;

  /** What a transfer over a network waits for: its connection, its request, and a slow start. */
  private static final int ROUND_TRIPS = 5;

  private static final double BITS_PER_BYTE_AND_MILLI = 8_000;

  /**
   * The estimate for a fork that runs in every round.
   *
   * @param name what the fork measures: a row or some ceilings
   * @param kind equal for forks whose estimates have the same sources of error
   * @param expected the estimated duration
   */
  record ForkEstimate(Object name, Object kind, Duration expected) {}

  /**
   * Estimates the forks of one round.
   *
   * @param rows the forks of rows of the plan
   * @param fileBytes the size of the run's file in bytes
   * @param network the network between the two ends; null for the loopback, and for one that is not
   *     known
   * @param distant whether there is a network between the two ends, and not the loopback
   */
  static List<ForkEstimate> forks(
      RunPlan plan,
      List<List<RowFork>> rows,
      Settings settings,
      long fileBytes,
      @Nullable Network network,
      boolean distant) {
    Estimate estimate = new Estimate(settings, fileBytes, network);
    List<ForkEstimate> forks = new ArrayList<>();
    plan.ceilingForks(distant).forEach(fork -> forks.add(estimate.forkOfCeilings(fork)));
    rows.forEach(some -> some.forEach(fork -> forks.add(estimate.forkOf(plan, fork))));
    return forks;
  }

  private ForkEstimate forkOfCeilings(RowFork fork) {
    Load load = fork.first().ceilingLoad();
    Duration expected =
        load == null
            ? fork(settings, ofFile(COMPRESSED_MILLIS))
            : fork(load.of(settings), fork.keys().size() * heavy(load));
    Object kind = Arrays.asList("ceilings", load, CeilingName.of(fork.first()).compresses());
    return new ForkEstimate(fork, kind, expected);
  }

  private ForkEstimate forkOf(RunPlan plan, RowFork fork) {
    RowSpec first = plan.row(fork.first());
    boolean compressed = first.promise().codec() != Codec.NONE;
    Object kind = Arrays.asList(first.key().suite(), first.work().load(), compressed);
    long samples = fork.keys().stream().mapToLong(row -> sample(plan.row(row), compressed)).sum();
    return new ForkEstimate(fork, kind, fork(first.work().settings().apply(settings), samples));
  }

  private long sample(RowSpec row, boolean compressed) {
    Load load = row.work().load();
    Duration expected = row.work().expected();
    if (expected != null) {
      int operations = load == null ? 1 : load.operations();
      return expected.multipliedBy(operations).toMillis() + onNetwork(0, operations);
    }
    return load == null
        ? ofFile(compressed ? COMPRESSED_MILLIS : PLAIN_MILLIS) + onNetwork(fileBytes, 1)
        : heavy(load);
  }

  /** Returns the time of operations in turn that is the network's, in milliseconds. */
  private long onNetwork(long bytes, int operations) {
    if (network == null) {
      return 0;
    }
    double sending =
        network.rateBits() == 0 ? 0 : bytes * BITS_PER_BYTE_AND_MILLI / network.rateBits();
    return Math.round(sending + ROUND_TRIPS * operations * network.rttMillis());
  }

  private long ofFile(long defaultMillis) {
    return Math.round((double) defaultMillis * fileBytes / TaxiFile.BYTES);
  }

  private long heavy(Load load) {
    return load.bytes() / BYTES_PER_MILLI + onNetwork(load.bytes(), load.operations());
  }

  private static Duration fork(Settings settings, long sampleMillis) {
    long warmUp =
        Math.max(
            Math.min(TYPICAL_WARMUP_MILLIS, settings.maxWarmupMillis()),
            settings.warmupOperations() * sampleMillis);
    long samples = ForkMain.FIRST_SAMPLES + settings.samplesPerRound();
    return Duration.ofMillis(FORK_MILLIS + warmUp + samples * sampleMillis);
  }
}
