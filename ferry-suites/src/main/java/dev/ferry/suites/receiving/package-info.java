/** A store that receives files and counts them, or computes their MD5, but does not keep them. */
@NullMarked
package dev.ferry.suites.receiving;

import org.jspecify.annotations.NullMarked;
