package dev.ferry.lab.model;

/**
 * The resource use of one operation in one process.
 *
 * @param allocatedBytes the allocated heap in bytes
 * @param cpuNanos the CPU time of all threads except the JIT compiler in nanoseconds
 * @param young collections of the young generation
 * @param old collections of the old generation
 * @param heapPeakBytes the peak heap use in bytes, including garbage
 * @param directPeakBytes the peak direct memory use of the JDK and Netty in bytes
 * @param switches the number of voluntary context switches; -1 if the system does not report them
 */
public record Usage(
    long allocatedBytes,
    long cpuNanos,
    long young,
    long old,
    long heapPeakBytes,
    long directPeakBytes,
    long switches) {
  /**
   * Adds the use of two processes. The peaks may have occurred at different times, so their sum is
   * an upper bound.
   */
  public Usage plus(Usage other) {
    return new Usage(
        allocatedBytes + other.allocatedBytes,
        cpuNanos + other.cpuNanos,
        young + other.young,
        old + other.old,
        heapPeakBytes + other.heapPeakBytes,
        directPeakBytes + other.directPeakBytes,
        switches < 0 || other.switches < 0 ? -1 : switches + other.switches);
  }
}
