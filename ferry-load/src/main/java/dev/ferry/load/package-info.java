/**
 * Loads a server at a given rate (open loop), measures it, and merges the results of workers.
 *
 * <p>A thread parks until the intended start of each operation, and spins for the last part of the
 * wait, for a tenth of a processor at most. Each second, what was recorded is taken and written, so
 * that what a worker has measured until it was killed can be merged.
 */
@NullMarked
package dev.ferry.load;

import org.jspecify.annotations.NullMarked;
