/** The commands of the bench. */
@NullMarked
package dev.ferry.bench;

import org.jspecify.annotations.NullMarked;
