package dev.ferry.lab.model;

/**
 * How long single operations took, from the call to the answer, where many run at the same time: a
 * row's mean is then what an operation costs, and not how long it takes.
 *
 * @param count operations, of all samples together
 * @param p50 in microseconds: half of the operations took no longer
 * @param p90 of nine in ten
 * @param p99 of 99 in a hundred
 * @param p999 of 999 in a thousand
 * @param max of all
 */
public record Latency(long count, double p50, double p90, double p99, double p999, double max) {}
