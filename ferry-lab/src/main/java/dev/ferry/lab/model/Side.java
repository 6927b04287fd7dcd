package dev.ferry.lab.model;

/**
 * What the client's or the server's process used for a row, where each has its own.
 *
 * @param allocatedBytes mean heap allocated per operation
 * @param cpuMillis mean CPU time per operation
 * @param gen0 young collections per 1,000 operations
 * @param gen1 old collections per 1,000 operations
 * @param heapPeakBytes most heap seen in use in any sample, garbage included
 * @param directPeakBytes most direct memory seen in use in any sample
 */
public record Side(
    double allocatedBytes,
    double cpuMillis,
    double gen0,
    double gen1,
    long heapPeakBytes,
    long directPeakBytes) {}
