/** What a caller uses of a server, and how much of it its limits leave. */
@NullMarked
package dev.ferry.net.internal.quota;

import org.jspecify.annotations.NullMarked;
