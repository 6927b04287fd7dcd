/**
 * Single parts of a transfer measured in isolation. They are lower bounds for the time of every
 * row.
 */
@NullMarked
package dev.ferry.lab.ceiling;

import org.jspecify.annotations.NullMarked;
