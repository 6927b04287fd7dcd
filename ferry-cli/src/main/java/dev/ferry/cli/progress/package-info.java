/** How far a transfer is: a line of a terminal that is redrawn, or lines elsewhere. */
@NullMarked
package dev.ferry.cli.progress;

import org.jspecify.annotations.NullMarked;
