package dev.ferry.lab.model;

import org.jspecify.annotations.Nullable;

/**
 * The figures of one fork of a row.
 *
 * @param round the round, from 0
 * @param n number of samples
 * @param median the median of the times, in the unit of the row
 * @param cpuMillis mean CPU time per operation in milliseconds; null if not known
 * @param allocatedBytes mean allocated heap per operation in bytes; null if not known
 * @param disturbance the sums over the samples of what ran beside the row; null if not known
 */
public record ForkFigures(
    int round,
    int n,
    double median,
    @Nullable Double cpuMillis,
    @Nullable Double allocatedBytes,
    @Nullable Disturbance disturbance) {}
