/**
 * The JDK's own HTTP client and server: small calls with Jackson, files as most programs transfer
 * them, by ofFile, and as fast as it gets.
 */
@NullMarked
package dev.ferry.suites.rival.jdk;

import org.jspecify.annotations.NullMarked;
