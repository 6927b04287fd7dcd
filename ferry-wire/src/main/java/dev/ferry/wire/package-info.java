/** Settings and limits that all ports of a server share, for every protocol. */
@NullMarked
package dev.ferry.wire;

import org.jspecify.annotations.NullMarked;
