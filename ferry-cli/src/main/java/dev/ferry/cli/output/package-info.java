/** What commands print: text, JSON and times. */
@NullMarked
package dev.ferry.cli.output;

import org.jspecify.annotations.NullMarked;
