/** How many bytes the operations of the suites send. */
@NullMarked
package dev.ferry.suites.wire;

import org.jspecify.annotations.NullMarked;
