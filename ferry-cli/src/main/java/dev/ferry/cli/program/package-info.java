/**
 * What every program named {@code ferry} has: errors in one line, exit codes, signals, the
 * terminal.
 */
@NullMarked
package dev.ferry.cli.program;

import org.jspecify.annotations.NullMarked;
