/** The scripts by which shells complete the words of a command line. */
@NullMarked
package dev.ferry.cli.completion;

import org.jspecify.annotations.NullMarked;
