/**
 * Arrow Flight as a rival: bulk data over gRPC as the JVM has it from Apache, by flight-core 18.3.0
 * for Java on grpc-java 1.71 and Netty 4.1. It moves Arrow's columns and no files, so a file is a
 * column of {@code VarBinary} without nulls, and each record batch has one value of BufferSize
 * bytes: {@code DoGet} with the path as ticket, {@code DoPut} with the path as descriptor. Both
 * ends use Flight's public API alone.
 *
 * <p>{@code ArrowFlight} is Flight at its defaults, as the Java Cookbook uses it
 * (arrow.apache.org/cookbook/java/flight.html): one root that is filled anew for each batch, values
 * set from and read as byte arrays.
 *
 * <p>{@code ArrowFlightTuned} follows what Flight's documents say of speed:
 *
 * <ul>
 *   <li>{@code setUseZeroCopy(true)} with new buffers for each batch, as its Javadoc and Flight's
 *       own {@code PerformanceTestServer} have it; values are read from disk and written to disk
 *       out of Arrow's buffers
 *   <li>no checks of bounds and nulls ("Performance Tuning" in the README of Arrow for Java)
 *   <li>10 MiB may be queued for an upload as for a download: Flight raised this limit of grpc-java
 *       for its servers, because it "causes excessive blocking" of bulk data (apache/arrow issue
 *       40745), and lets a client do the same by a {@code GrpcCallOption}
 *   <li>uploads poll {@code isReady} before each batch, as its Javadoc says, and yield their core
 *       while they wait
 * </ul>
 *
 * <p>Otherwise the client's {@code putNext} waits by itself, and spins. For both methods the server
 * waits by the {@code CallbackBackpressureStrategy} that Flight offers. Netty uses the NIO of the
 * JDK: Flight brings no native transport for TCP.
 */
@NullMarked
package dev.ferry.flight;

import org.jspecify.annotations.NullMarked;
