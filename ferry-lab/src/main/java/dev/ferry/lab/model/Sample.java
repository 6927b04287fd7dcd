package dev.ferry.lab.model;

import org.jspecify.annotations.Nullable;

/**
 * One timed operation, as a fork measured it. Where other programs did the work, what it needed of
 * the machine is null.
 *
 * @param round the pass it belongs to, from 0
 * @param nanos its time, in nanoseconds
 * @param allocatedBytes heap the whole process allocated meanwhile
 * @param cpuNanos CPU time of the whole process, both ends, in nanoseconds
 * @param young collections of the young generation
 * @param old collections of the old generation
 * @param directPeakBytes most direct memory in use, the JDK's and Netty's
 * @param bytes bytes of the unencoded work, for instance of the file
 * @param wireBytes bytes of the encoded work, without the transport's own headers
 * @param protocol as negotiated
 * @param encoding as negotiated
 */
public record Sample(
    int round,
    long nanos,
    @Nullable Long allocatedBytes,
    @Nullable Long cpuNanos,
    @Nullable Long young,
    @Nullable Long old,
    @Nullable Long directPeakBytes,
    long bytes,
    long wireBytes,
    String protocol,
    String encoding) {}
