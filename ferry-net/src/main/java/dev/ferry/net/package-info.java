/** Settings and limits that all ports of a server share, for every protocol. */
@NullMarked
package dev.ferry.net;

import org.jspecify.annotations.NullMarked;
