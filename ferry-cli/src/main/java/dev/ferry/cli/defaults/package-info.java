/** Defaults of options that a user keeps in the environment or in a file. */
@NullMarked
package dev.ferry.cli.defaults;

import org.jspecify.annotations.NullMarked;
