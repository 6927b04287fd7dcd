/** Profilers that watch the samples of a row. */
@NullMarked
package dev.ferry.lab.run.profiler;

import org.jspecify.annotations.NullMarked;
