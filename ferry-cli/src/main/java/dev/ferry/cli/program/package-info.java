/**
 * Shared by all programs named {@code ferry}: error lines, exit codes, signals and the terminal.
 */
@NullMarked
package dev.ferry.cli.program;

import org.jspecify.annotations.NullMarked;
