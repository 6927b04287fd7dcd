/** Runs and checks what README.md and the pages of {@code docs} say. */
@NullMarked
package dev.ferry.cli.docs;

import org.jspecify.annotations.NullMarked;
