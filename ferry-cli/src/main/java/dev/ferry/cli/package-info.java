/** The command line: thin commands over the library and the lab. */
@NullMarked
package dev.ferry.cli;

import org.jspecify.annotations.NullMarked;
