package dev.ferry.lab.model;

/**
 * An additional figure of an operation besides its time, for instance the time to connect.
 *
 * @param name the name in the column header
 * @param unit the unit, for instance {@code us}; empty for a plain number
 * @param value the mean over the operations of a sample, or over the samples of a row
 */
public record Part(String name, String unit, double value) {}
