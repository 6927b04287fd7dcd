/** The command line: thin commands over the library. */
@NullMarked
package dev.ferry.cli;

import org.jspecify.annotations.NullMarked;
