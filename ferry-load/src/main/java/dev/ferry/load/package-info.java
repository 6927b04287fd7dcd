/** Loads a server at a given rate (open loop), measures it, and merges the results of workers. */
@NullMarked
package dev.ferry.load;

import org.jspecify.annotations.NullMarked;
