/** Every codec against the JDK's streams, against each other, and against damage. */
@NullMarked
package dev.ferry.compress;

import org.jspecify.annotations.NullMarked;
