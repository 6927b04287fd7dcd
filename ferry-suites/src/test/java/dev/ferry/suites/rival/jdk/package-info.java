/** Tests of the JDK's own HTTP clients. */
@NullMarked
package dev.ferry.suites.rival.jdk;

import org.jspecify.annotations.NullMarked;
