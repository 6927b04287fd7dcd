/** The guards of a server's ports: connections, frames, silence and foreign pages. */
@NullMarked
package dev.ferry.net.internal;

import org.jspecify.annotations.NullMarked;
