/** Turns raw samples into figures; pure functions. */
@NullMarked
package dev.ferry.lab.stats;

import org.jspecify.annotations.NullMarked;
