package dev.ferry.cli.defaults;

/**
 * A value of an option that was not given on the command line.
 *
 * @param text the value as it was written
 * @param source where it is: a variable, or a file with the number of its line
 */
record Setting(String text, String source) {}
