/** What a sample used of heap, processor and direct memory. */
@NullMarked
package dev.ferry.lab.run.meter;

import org.jspecify.annotations.NullMarked;
