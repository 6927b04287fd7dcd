/** Tests of the ceilings: that they do the work they are named for. */
@NullMarked
package dev.ferry.lab.ceiling;

import org.jspecify.annotations.NullMarked;
