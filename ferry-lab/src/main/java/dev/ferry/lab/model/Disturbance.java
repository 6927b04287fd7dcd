package dev.ferry.lab.model;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What ran during a sample beside the work of the row, and what the row had to wait for. A figure
 * is null if the system does not report it. With two processes a figure is their sum.
 *
 * @param elapsedNanos the duration of the sample in nanoseconds, which differs from the time of the
 *     sample if its operations arrive at a constant rate
 * @param compilerNanos the CPU time of the JIT compiler's threads in nanoseconds
 * @param runDelayNanos the time in nanoseconds that threads of the row were ready to run but had no
 *     processor, summed over the threads
 * @param stealNanos the time in nanoseconds that the hypervisor took from the processors; its
 *     resolution is 10 ms
 * @param otherCpuNanos the CPU time of other processes and of the kernel's own threads in
 *     nanoseconds. Its resolution is 10 ms and a single value can be negative, so only the sum of
 *     several samples has a meaning.
 * @param involuntarySwitches how often another thread took the processor from a thread of the row
 * @param collections the number of garbage collections
 */
public record Disturbance(
    long elapsedNanos,
    @Nullable Long compilerNanos,
    @Nullable Long runDelayNanos,
    @Nullable Long stealNanos,
    @Nullable Long otherCpuNanos,
    @Nullable Long involuntarySwitches,
    @Nullable Long collections) {
  /**
   * The share of the machine that others may use. On two cores it was -7 to 6 % in forks beside
   * which nothing ran, and 11 to 83 % beside builds.
   */
  public static final double MOST_OTHERS = 0.10;

  /**
   * Returns the sums of several. A sum is null if one of its figures is.
   *
   * @param all one at least
   */
  public static Disturbance sum(List<Disturbance> all) {
    return new Disturbance(
        all.stream().mapToLong(Disturbance::elapsedNanos).sum(),
        total(all, Disturbance::compilerNanos),
        total(all, Disturbance::runDelayNanos),
        total(all, Disturbance::stealNanos),
        total(all, Disturbance::otherCpuNanos),
        total(all, Disturbance::involuntarySwitches),
        total(all, Disturbance::collections));
  }

  /**
   * Returns the share of the machine that other processes and the hypervisor used; null if that is
   * not known.
   *
   * @param processors the number of processors of the machine
   */
  public @Nullable Double others(int processors) {
    return stealNanos == null || otherCpuNanos == null || elapsedNanos == 0
        ? null
        : (Double) ((stealNanos + otherCpuNanos) / ((double) elapsedNanos * processors));
  }

  private static @Nullable Long total(
      List<Disturbance> all, Function<Disturbance, @Nullable Long> figure) {
    Long sum = 0L;
    for (Disturbance one : all) {
      Long value = figure.apply(one);
      sum = sum == null || value == null ? null : (Long) (sum + value);
    }
    return sum;
  }
}
