/** Small calls by the JDK's own HTTP clients and Jackson, as most programs make them. */
@NullMarked
package dev.ferry.suites.rival.jdk;

import org.jspecify.annotations.NullMarked;
