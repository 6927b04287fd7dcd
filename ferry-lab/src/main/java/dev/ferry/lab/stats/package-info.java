/** Computes figures from raw samples with pure functions. */
@NullMarked
package dev.ferry.lab.stats;

import org.jspecify.annotations.NullMarked;
