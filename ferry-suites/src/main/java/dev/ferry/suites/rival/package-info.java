/** Servers and clients that Ferry does not offer and its rows are measured against. */
@NullMarked
package dev.ferry.suites.rival;

import org.jspecify.annotations.NullMarked;
