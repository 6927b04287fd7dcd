/** The command {@code load} and what it prints. */
@NullMarked
package dev.ferry.cli.load;

import org.jspecify.annotations.NullMarked;
