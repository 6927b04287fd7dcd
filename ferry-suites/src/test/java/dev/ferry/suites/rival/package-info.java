/** Tests of rivals. */
@NullMarked
package dev.ferry.suites.rival;

import org.jspecify.annotations.NullMarked;
