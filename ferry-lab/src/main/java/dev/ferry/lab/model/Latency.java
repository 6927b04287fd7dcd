package dev.ferry.lab.model;

/**
 * The duration of single operations, from the call to the response, if many run concurrently. The
 * mean of such a row is the cost of an operation and not its duration.
 *
 * @param count the number of operations in all samples
 * @param p50 the 50th percentile in microseconds
 * @param p90 the 90th percentile in microseconds
 * @param p99 the 99th percentile in microseconds
 * @param p999 the 99.9th percentile in microseconds
 * @param max the maximum in microseconds
 */
public record Latency(long count, double p50, double p90, double p99, double p999, double max) {}
