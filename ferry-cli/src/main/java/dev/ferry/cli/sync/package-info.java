/** The command {@code sync}: a folder is made like another one. */
@NullMarked
package dev.ferry.cli.sync;

import org.jspecify.annotations.NullMarked;
