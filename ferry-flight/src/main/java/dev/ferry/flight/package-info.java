/**
 * Arrow Flight as a rival: bulk data over gRPC for the JVM by Apache, with flight-core 18.3.0 for
 * Java on grpc-java 1.71 and Netty 4.1. Flight transfers Arrow columns and no files. Therefore a
 * file is a column of {@code VarBinary} without nulls, and each record batch has one value of
 * BufferSize bytes. {@code DoGet} has the path as ticket, and {@code DoPut} has the path as
 * descriptor. Client and server use only the public API of Flight.
 *
 * <p>{@code ArrowFlight} uses the defaults of Flight, as in the Java Cookbook
 * (arrow.apache.org/cookbook/java/flight.html): one root that is refilled for each batch, and
 * values that are set from and read as byte arrays.
 *
 * <p>{@code ArrowFlightTuned} follows the performance advice in the documentation of Flight:
 *
 * <ul>
 *   <li>{@code setUseZeroCopy(true)} with new buffers for each batch, as in its Javadoc and in
 *       Flight's {@code PerformanceTestServer}; values are read from disk into Arrow's buffers and
 *       written to disk from them
 *   <li>no checks of bounds and nulls ("Performance Tuning" in the README of Arrow for Java)
 *   <li>a limit of 10 MiB for the queued data of an upload, as for a download: Flight raised this
 *       limit of grpc-java for its servers, because it "causes excessive blocking" of bulk data
 *       (apache/arrow issue 40745), and allows a client to do the same with a {@code
 *       GrpcCallOption}
 *   <li>uploads that poll {@code isReady} before each batch, as its Javadoc recommends, and yield
 *       their core while they wait
 * </ul>
 *
 * <p>Without this polling, {@code putNext} of the client waits by spinning. For both methods the
 * server waits with Flight's {@code CallbackBackpressureStrategy}. Netty uses the NIO of the JDK,
 * because Flight contains no native transport for TCP.
 */
@NullMarked
package dev.ferry.flight;

import org.jspecify.annotations.NullMarked;
