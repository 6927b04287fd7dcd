/** Clients of several servers that serve the same store. */
@NullMarked
package dev.ferry.net.internal.servers;

import org.jspecify.annotations.NullMarked;
