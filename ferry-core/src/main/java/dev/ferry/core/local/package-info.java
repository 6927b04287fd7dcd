/** Files of a local disk: their store, how they are received, and their temporary names. */
@NullMarked
package dev.ferry.core.local;

import org.jspecify.annotations.NullMarked;
