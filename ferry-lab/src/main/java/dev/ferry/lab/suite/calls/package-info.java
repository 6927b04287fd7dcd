/** Suites of small calls: reply shapes, connection reuse, tasks. */
@NullMarked
package dev.ferry.lab.suite.calls;

import org.jspecify.annotations.NullMarked;
