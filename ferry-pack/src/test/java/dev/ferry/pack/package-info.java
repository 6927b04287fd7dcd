/** Every codec against the JDK's streams, against each other, and against damage. */
@NullMarked
package dev.ferry.pack;

import org.jspecify.annotations.NullMarked;
