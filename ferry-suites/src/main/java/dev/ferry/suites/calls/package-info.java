/** Suites of small calls: reply shapes, connection reuse, tasks. */
@NullMarked
package dev.ferry.suites.calls;

import org.jspecify.annotations.NullMarked;
