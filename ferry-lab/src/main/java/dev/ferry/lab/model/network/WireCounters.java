package dev.ferry.lab.model.network;

/**
 * What a wire has forwarded.
 *
 * @param elapsedNanos how long it has existed, in nanoseconds
 * @param cpuNanos the CPU time of its process in nanoseconds, which includes what the kernel does
 *     to receive packets at the ends
 * @param wakeUpNanos how long its wake-ups took at last, in nanoseconds
 * @param client what the client has sent
 * @param server what the server has sent
 */
public record WireCounters(
    long elapsedNanos, long cpuNanos, long wakeUpNanos, Sent client, Sent server) {
  /**
   * What an end has sent.
   *
   * @param packets the packets that were forwarded; with offload a packet has several segments
   * @param segments their segments
   * @param bytes their bytes, as IP packets
   * @param lost the segments that were lost on purpose
   * @param overflowed the segments that found the queue full
   * @param refused the segments that the kernel of the other end did not take
   * @param retransmitted the segments that TCP has sent again; -1 if not known
   */
  public record Sent(
      long packets,
      long segments,
      long bytes,
      long lost,
      long overflowed,
      long refused,
      long retransmitted) {}
}
