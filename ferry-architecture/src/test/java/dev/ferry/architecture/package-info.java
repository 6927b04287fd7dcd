/** The rules that hold for the modules together. */
@NullMarked
package dev.ferry.architecture;

import org.jspecify.annotations.NullMarked;
