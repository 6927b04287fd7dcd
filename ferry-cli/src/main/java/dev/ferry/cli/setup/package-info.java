/** The files of a new server: a certificate of its own and its key. */
@NullMarked
package dev.ferry.cli.setup;

import org.jspecify.annotations.NullMarked;
