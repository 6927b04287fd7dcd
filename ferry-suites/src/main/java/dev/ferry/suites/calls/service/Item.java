package dev.ferry.suites.calls.service;

/**
 * An item of a small call.
 *
 * @param id from 0
 * @param name about ten characters
 * @param price at least 0, with two decimals
 */
public record Item(long id, String name, double price) {}
