/** The manual pages of the commands. */
@NullMarked
package dev.ferry.cli.manual;

import org.jspecify.annotations.NullMarked;
