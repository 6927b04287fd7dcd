/** Jetty's HTTP client. */
@NullMarked
package dev.ferry.suites.rival.jetty;

import org.jspecify.annotations.NullMarked;
