package dev.ferry.load;

/**
 * An operation that is to start.
 *
 * @param index its number in the whole load, from 0
 * @param atNanos its intended start in nanoseconds after the beginning of the load
 * @param operation index of the operation in the mix
 * @param file index of the size in the files
 * @param measured whether it is after the warm-up
 */
public record Arrival(long index, long atNanos, int operation, int file, boolean measured) {}
