package dev.ferry.lab.model;

/**
 * The resource use of the client process or of the server process of a row if they are separate.
 *
 * @param allocatedBytes mean allocated heap per operation in bytes
 * @param cpuMillis mean CPU time per operation in milliseconds
 * @param gen0 young collections per 1,000 operations
 * @param gen1 old collections per 1,000 operations
 * @param heapPeakBytes the largest heap use of any sample in bytes, including garbage
 * @param directPeakBytes the largest direct memory use of any sample in bytes
 */
public record ProcessUse(
    double allocatedBytes,
    double cpuMillis,
    double gen0,
    double gen1,
    long heapPeakBytes,
    long directPeakBytes) {}
