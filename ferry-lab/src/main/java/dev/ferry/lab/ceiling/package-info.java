/** Single parts of a transfer, done with nothing around them: what no row can be faster than. */
@NullMarked
package dev.ferry.lab.ceiling;

import org.jspecify.annotations.NullMarked;
