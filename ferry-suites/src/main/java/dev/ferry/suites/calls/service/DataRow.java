package dev.ferry.suites.calls.service;

/**
 * A row.
 *
 * @param number from 0 to 2^28 - 1
 * @param name ten ASCII characters
 */
public record DataRow(long number, String name) {}
