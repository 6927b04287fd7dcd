/**
 * What is compared: suites of tables, parameters and methods, and the fixtures that do the work.
 */
@NullMarked
package dev.ferry.lab.suite;

import org.jspecify.annotations.NullMarked;
