package dev.ferry.lab.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One timed sample, as a fork measured it: an operation, or several where the row has such a load.
 * Where other programs did the work, what it needed of the machine is null.
 *
 * @param round the pass it belongs to, from 0
 * @param nanos its time, in nanoseconds
 * @param allocatedBytes heap allocated meanwhile, both ends
 * @param cpuNanos CPU time, both ends, in nanoseconds
 * @param young collections of the young generation
 * @param old collections of the old generation
 * @param heapPeakBytes most heap in use, garbage included; the sum of two processes' peaks
 * @param directPeakBytes most direct memory in use, the JDK's and Netty's; the sum of two
 *     processes' peaks
 * @param bytes bytes of the unencoded work of one operation, for instance of the file
 * @param wireBytes bytes of the encoded work of one operation, without the transport's own headers
 * @param protocol as negotiated
 * @param encoding as negotiated
 * @param switches how often threads gave up the processor to wait, both ends; null where the system
 *     does not tell
 * @param latencies how long each operation took, in nanoseconds: an HdrHistogram (V2, compressed,
 *     in base64); null where only all of them together were timed
 * @param parts what else is told of an operation
 * @param client what the client used; null where both ends share a process
 * @param server what the server used; null where both ends share a process
 */
public record Sample(
    int round,
    long nanos,
    @Nullable Long allocatedBytes,
    @Nullable Long cpuNanos,
    @Nullable Long young,
    @Nullable Long old,
    @Nullable Long heapPeakBytes,
    @Nullable Long directPeakBytes,
    long bytes,
    long wireBytes,
    String protocol,
    String encoding,
    @Nullable Long switches,
    @Nullable String latencies,
    List<Part> parts,
    @Nullable Usage client,
    @Nullable Usage server) {
  public Sample {
    parts = List.copyOf(Objects.requireNonNullElse(parts, List.of()));
  }
}
