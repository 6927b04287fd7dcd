/** Tests of the statistics. */
@NullMarked
package dev.ferry.lab.stats;

import org.jspecify.annotations.NullMarked;
