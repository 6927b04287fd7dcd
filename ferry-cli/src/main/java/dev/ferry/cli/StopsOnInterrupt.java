package dev.ferry.cli;

/**
 * A command that cleans up and returns soon after its thread was interrupted, which is what Ctrl-C
 * then does.
 */
interface StopsOnInterrupt {}
