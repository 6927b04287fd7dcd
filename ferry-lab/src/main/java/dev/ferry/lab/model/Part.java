package dev.ferry.lab.model;

/**
 * Something that is told of an operation beside its time, for instance how long it took to connect.
 *
 * @param name as at the head of a column
 * @param unit for instance {@code us}; empty for a number
 * @param value mean over the operations of a sample, or over the samples of a row
 */
public record Part(String name, String unit, double value) {}
