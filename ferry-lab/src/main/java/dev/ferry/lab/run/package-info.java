/** Runs a plan: one fork per row and round, meters around every operation, raw samples on disk. */
@NullMarked
package dev.ferry.lab.run;

import org.jspecify.annotations.NullMarked;
