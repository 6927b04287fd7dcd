/**
 * The JDK's own HTTP clients as most programs use them: small calls with Jackson, files by ofFile.
 */
@NullMarked
package dev.ferry.suites.rival.jdk;

import org.jspecify.annotations.NullMarked;
