/** Tests of rivals. */
@NullMarked
package dev.ferry.suites.rival.reactor;

import org.jspecify.annotations.NullMarked;
