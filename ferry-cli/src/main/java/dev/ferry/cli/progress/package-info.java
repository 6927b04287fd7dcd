/** How far a transfer is: a bar on a terminal, lines elsewhere. */
@NullMarked
package dev.ferry.cli.progress;

import org.jspecify.annotations.NullMarked;
