/** Jetty's HTTP client, and its service of files. */
@NullMarked
package dev.ferry.suites.rival.jetty;

import org.jspecify.annotations.NullMarked;
