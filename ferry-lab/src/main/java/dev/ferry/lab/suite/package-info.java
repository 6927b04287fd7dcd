/**
 * What is compared: suites of tables, parameters and methods, and the implementations of the rows.
 */
@NullMarked
package dev.ferry.lab.suite;

import org.jspecify.annotations.NullMarked;
