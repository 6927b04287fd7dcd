/** Profilers for the samples of a row. */
@NullMarked
package dev.ferry.lab.run.profiler;

import org.jspecify.annotations.NullMarked;
