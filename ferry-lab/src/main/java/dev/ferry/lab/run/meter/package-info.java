/** Meters for the use of heap, CPU and direct memory of a sample. */
@NullMarked
package dev.ferry.lab.run.meter;

import org.jspecify.annotations.NullMarked;
