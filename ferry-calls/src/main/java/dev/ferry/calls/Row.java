package dev.ferry.calls;

/**
 * A row.
 *
 * @param number from 0 to 2^28 - 1
 * @param name ten ASCII characters
 */
public record Row(long number, String name) {}
