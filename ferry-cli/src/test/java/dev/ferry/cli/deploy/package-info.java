/** Runs and checks what is in the folder {@code deploy}. */
@NullMarked
package dev.ferry.cli.deploy;

import org.jspecify.annotations.NullMarked;
