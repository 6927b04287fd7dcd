package dev.ferry.lab.model;

/**
 * What one operation used of a process.
 *
 * @param allocatedBytes heap allocated
 * @param cpuNanos CPU time of all threads, in nanoseconds
 * @param young collections of the young generation
 * @param old collections of the old generation
 * @param heapPeakBytes most heap in use, garbage included
 * @param directPeakBytes most direct memory in use, the JDK's and Netty's
 * @param switches how often its threads gave up the processor to wait; -1 where the system does not
 *     tell
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
   * Two processes together. Their peaks need not have been at one moment: the sum is the most that
   * both can have held.
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
